package dev.cairn.runtime.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The files of the product: of the modules that a program or the command line has on its class path. */
final class ProductSources {
  static final Path ROOT = Path.of(System.getProperty("cairn.root", "../.."));
  static final List<String> MODULES = List.of("allocator", "kernels", "runtime/planner", "runtime/recompute",
    "runtime/graph", "runtime/compiler", "runtime/engine", "runtime/executor", "runtime/session", "runtime/arrays",
    "runtime/onnx", "runtime/report", "runtime/train", "runtime/zoo", "runtime/cli");
  private static final Path SOURCES = Path.of("src/main/java");

  private ProductSources() {}

  /** A main source file with a type of its own, so no {@code package-info}. */
  record SourceFile(Path path, String type) {
    String simpleName() {
      return type.substring(type.lastIndexOf('.') + 1);
    }
  }

  /** The source files of the product's modules. */
  static List<SourceFile> all() throws IOException {
    return MODULES.stream().flatMap(module -> in(ROOT.resolve(module)).stream()).toList();
  }

  /**
   * The source files of the product's modules, of the adapters, and of the modules with benchmarks and tests of native
   * libraries.
   */
  static List<SourceFile> withNativeTests() throws IOException {
    try (Stream<Path> adapters = Files.list(ROOT.resolve("adapters"));
      Stream<Path> modules = Files.list(ROOT.resolve("native-tests"))) {
      return Stream.concat(all().stream(), Stream.concat(adapters, modules).flatMap(module -> in(module).stream()))
        .toList();
    }
  }

  private static List<SourceFile> in(Path module) {
    Path sources = module.resolve(SOURCES);
    return files(sources, ".java").stream().filter(file -> !file.endsWith("package-info.java"))
      .map(file -> new SourceFile(file, sources.relativize(file).toString().replaceFirst("\\.java$", "")
        .replace(file.getFileSystem().getSeparator(), ".")))
      .toList();
  }

  /** All files below a folder whose names have that end; none where there is no folder. */
  static List<Path> files(Path folder, String end) {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> Files.isRegularFile(file) && file.toString().endsWith(end)).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
