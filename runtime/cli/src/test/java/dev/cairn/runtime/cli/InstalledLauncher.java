package dev.cairn.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;

/**
 * A folder with the launcher, the script that makes its AOT cache, and the program behind it, from the class path of
 * this test.
 */
final class InstalledLauncher {
  private InstalledLauncher() {}

  /**
   * Puts them there.
   *
   * @return the file of the AOT cache, which is empty: an attempt to make one that failed, so that runs do without
   */
  static Path into(Path home) throws IOException {
    for (String script : List.of("cairn", "build.sh")) {
      Files.copy(ProductSources.ROOT.resolve(script), home.resolve(script));
      assertThat(home.resolve(script).toFile().setExecutable(true)).isTrue();
    }
    Path dist = Files.createDirectories(home.resolve("runtime/cli/target/cairn"));
    Files.createDirectories(dist.resolve("lib"));
    List<String> entries = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator)).filter(
      it -> !it.contains("test-classes") && !it.contains("src/test")).toList();
    for (String entry : entries) {
      put(Path.of(entry), dist.resolve("lib"));
    }
    Files.createFile(dist.resolve("built"));
    return Files.createFile(dist.resolve("cairn-%s.aot".formatted(System.getProperty("java.version"))));
  }

  private static void put(Path entry, Path lib) throws IOException {
    if (Files.isRegularFile(entry)) {
      Files.createSymbolicLink(lib.resolve(entry.getFileName()), entry);
    } else if (Files.isDirectory(entry)) {
      // target/classes of a module
      Path jar = lib.resolve("module-%x.jar".formatted(entry.hashCode()));
      try (var out = new JarOutputStream(Files.newOutputStream(jar)); Stream<Path> files = Files.walk(entry)) {
        out.setLevel(Deflater.NO_COMPRESSION);
        for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
          out.putNextEntry(new ZipEntry(entry.relativize(file).toString()));
          Files.copy(file, out);
        }
      }
    }
  }
}
