package dev.cairn.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import jdk.jshell.JShell;
import jdk.jshell.Snippet;
import jdk.jshell.SnippetEvent;
import jdk.jshell.SourceCodeAnalysis.CompletionInfo;
import jdk.jshell.VarSnippet;
import jdk.jshell.tool.JavaShellToolBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code cairn shell}, and the session with it in docs/arrays.md. */
class ShellTest {
  private static final Path ROOT = Path.of(System.getProperty("cairn.root", "../.."));
  private static final String PROMPT = "jshell> ";

  private int number;
  private JShell shell;

  @BeforeEach
  void openShell() throws IOException {
    shell = JShell.builder().executionEngine("local").tempVariableNameGenerator(() -> "$" + number).build();
    shell.addToClasspath(ShellCommand.classPath());
    String rest = ShellCommand.startup();
    while (!rest.isBlank()) {
      CompletionInfo next = shell.sourceCodeAnalysis().analyzeCompletion(rest);
      answer(next.source());
      rest = next.remaining();
    }
  }

  @AfterEach
  void closeShell() {
    shell.eval("arrays.close()");
    shell.close();
  }

  /** What the shell prints for a snippet. */
  private String answer(String source) {
    var text = new StringBuilder();
    for (SnippetEvent event : shell.eval(shell.sourceCodeAnalysis().analyzeCompletion(source).source())) {
      assertThat(event.status()).as("%s: %s", source, shell.diagnostics(event.snippet()).map(it -> it.getMessage(null))
        .toList()).isEqualTo(Snippet.Status.VALID);
      assertThat(event.exception()).as(source).isNull();
      if (event.snippet() instanceof VarSnippet variable) {
        text.append(variable.name()).append(" ==> ").append(event.value()).append('\n');
      }
    }
    return text.toString();
  }

  @Test
  void theSessionOfThePageIsWhatTheShellPrints() throws IOException {
    String page = Files.readString(ROOT.resolve("docs/arrays.md"));
    String session = Pattern.compile("```jshell\n(.*?)```", Pattern.DOTALL).matcher(page).results().map(
      (MatchResult it) -> it.group(1)).findFirst().orElseThrow();
    var replayed = new StringBuilder();
    for (String part : List.of(session.split(Pattern.quote(PROMPT)))) {
      if (!part.isEmpty()) {
        number++;
        String source = part.substring(0, part.indexOf('\n'));
        replayed.append(replayed.isEmpty() ? "" : "\n").append(PROMPT).append(source).append('\n').append(answer(
          source));
      }
    }
    assertThat(replayed).hasToString(session);
    assertThat(number).isGreaterThan(3);
  }

  @Test
  void theShellStartsWithFlagsClassesAndImports() throws IOException {
    var out = new ByteArrayOutputStream();
    var in = new ByteArrayInputStream("""
      System.out.println(arrays.of(new float[] {1, 2}, 2).add(1))
      System.out.println(ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent())
      /exit
      """.getBytes(StandardCharsets.UTF_8));
    try (var printed = new PrintStream(out, true, StandardCharsets.UTF_8)) {
      JavaShellToolBuilder tool = JavaShellToolBuilder.builder().in(in, null).out(printed).err(printed);
      int code = ShellCommand.start(tool, List.of("-R-XX:TieredStopAtLevel=1", "-R-XX:+UseSerialGC", "-"));
      assertThat(out.toString(StandardCharsets.UTF_8)).contains("float32[2] cpu", "[2 3]", "true");
      assertThat(code).isZero();
    }
  }
}
