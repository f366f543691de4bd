package dev.cairn.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Cases like those of public bug reports, from the shared test data: each has its input, the right result, a README and
 * the command that compares them ({@code run.sh}), which here runs in this process. Skipped without the data.
 */
class PublicReportsTest {
  private static final Path CASES = Path.of(System.getProperty("cairn.shared", "../../../shared"), "data", "reports");
  private static final String COMMAND = "\"${CAIRN:?set CAIRN to the launcher}\" ";

  @TempDir
  private Path folder = Path.of("");

  @TestFactory
  Stream<DynamicTest> commandsGiveTheRightResults() throws IOException {
    Assumptions.assumeTrue(Files.isDirectory(CASES), "no shared test data: " + CASES);
    List<DynamicTest> tests = new ArrayList<>();
    try (Stream<Path> cases = Files.list(CASES)) {
      for (Path of : cases.filter(Files::isDirectory).sorted().toList()) {
        String script = Files.readString(of.resolve("run.sh"));
        if (script.contains(COMMAND)) {
          tests.add(DynamicTest.dynamicTest(String.valueOf(of.getFileName()), () -> check(of, script)));
        }
      }
    }
    assertThat(tests).isNotEmpty();
    return tests.stream();
  }

  private static void check(Path of, String script) throws IOException {
    String words = script.substring(script.indexOf(COMMAND) + COMMAND.length()).strip();
    Outcome outcome = Outcome.of(Stream.of(words.split(" +", -1)).map(word -> inFolder(of, word)).toArray());
    if (outcome.code() != 0 && Files.readString(of.resolve("README")).contains(
      "refuse the model and name the attribute")) {
      outcome.failedWith(ExitCode.INVALID_MODEL, "has no attribute axes");
    } else {
      assertThat(outcome.code()).as(outcome.err()).isZero();
    }
  }

  /** The word with the path of the file that it names, perhaps after an input's name. */
  private static String inFolder(Path of, String word) {
    String file = word.substring(word.indexOf(':') + 1);
    return !file.startsWith("-") && Files.isRegularFile(of.resolve(file))
      ? word.substring(0, word.length() - file.length()) + of.resolve(file)
      : word;
  }

  /** A program that trains until a weight isn't finite, and says at which update. */
  @Test
  @Tag("long")
  void centredRmsPropKeepsWeightsFinite() throws Exception {
    Path source = CASES.resolve("case-33").resolve("CentredRmsProp.java");
    Assumptions.assumeTrue(Files.exists(source), "no shared test data: " + source);
    // Tensors have moved to a package of their own.
    Path moved = Files.writeString(folder.resolve("CentredRmsProp.java"), Files.readString(source).replace(
      "import dev.cairn.runtime.*;", "import dev.cairn.runtime.value.*;"));
    int compiled = ToolProvider.getSystemJavaCompiler().run(null, null, null, "-nowarn", "-d", folder.toString(), "-cp",
      System.getProperty("java.class.path"), moved.toString());
    assertThat(compiled).isZero();
    PrintStream before = System.out;
    for (String rule : List.of("PYTORCH", "MXNET")) {
      var said = new ByteArrayOutputStream();
      try (var loader = new URLClassLoader(new URL[] {folder.toUri().toURL()}, getClass().getClassLoader())) {
        System.setOut(new PrintStream(said, true, StandardCharsets.UTF_8));
        loader.loadClass("CentredRmsProp").getMethod("main", String[].class).invoke(null, (Object) new String[] {rule});
      } finally {
        System.setOut(before);
      }
      assertThat(said.toString(StandardCharsets.UTF_8).lines()).hasSize(3).allMatch(it -> it.contains(
        "first NaN at update -1"));
    }
  }
}
