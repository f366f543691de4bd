package dev.cairn.runtime.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The Java examples of a page on planning: they compile against the test's module, and print what the page says. */
public final class PageExamples {
  private static final Path DOCS = Path.of(System.getProperty("cairn.root", "../.."), "docs");

  private final Path folder;
  private final String imports;

  /**
   * Takes a folder to compile into, and the packages that examples use.
   *
   * @param packages below {@code dev.cairn.runtime.memory}; {@code ""} is that package itself
   */
  public PageExamples(Path folder, List<String> packages) {
    this.folder = folder;
    this.imports = packages.stream().map(it -> "import dev.cairn.runtime.memory%s.*;\n".formatted(it.isEmpty()
      ? ""
      : "." + it)).collect(Collectors.joining());
  }

  /** Checks the examples of a page, which has so many. */
  public void check(String page, int count) throws Exception {
    String text = Files.readString(DOCS.resolve(page));
    List<String> examples = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL).matcher(text)
      .results().map(it -> it.group(1)).toList();
    assertThat(examples).hasSize(count);
    List<Path> sources = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      sources.add(source("Example" + i, examples.get(i)));
    }
    compile(sources);
    for (int i = 0; i < count; i++) {
      List<String> promised = Pattern.compile("System.out.println.*; // (.*)").matcher(examples.get(i)).results()
        .map(it -> it.group(1)).toList();
      assertThat(promised).isNotEmpty();
      assertThat(run("Example" + i).lines()).containsExactlyElementsOf(promised);
    }
  }

  private Path source(String name, String lines) throws IOException {
    return Files.writeString(folder.resolve(name + ".java"), """
      %simport java.time.Duration;
      import java.util.*;

      public class %s {
        public static void run() {
      %s
        }
      }
      """.formatted(imports, name, lines));
  }

  private String run(String name) throws Exception {
    var printed = new ByteArrayOutputStream();
    PrintStream before = System.out;
    try (var loader = new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
      System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
      loader.loadClass(name).getMethod("run").invoke(null);
    } finally {
      System.setOut(before);
    }
    return printed.toString(StandardCharsets.UTF_8);
  }

  private void compile(List<Path> sources) throws IOException {
    var messages = new StringWriter();
    var compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
      boolean compiled = compiler.getTask(messages, files, null, List.of("-proc:none", "-Xlint:all,-classfile,-path",
        "-Werror", "-classpath", System.getProperty("java.class.path"), "-d", folder.toString()), null,
        files.getJavaFileObjectsFromPaths(sources)).call();
      assertThat(compiled).as(messages.toString()).isTrue();
    }
  }
}
