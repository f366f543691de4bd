package dev.cairn.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.Notes;
import dev.cairn.runtime.graph.RefusedHint;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The Java example of docs/howto/recompute-hints.md is lines of this file, and prints what the page says. */
class RecomputeHintsPageTest {
  private static final Path ROOT = Path.of(System.getProperty("cairn.root", "../.."));

  private static void example(PrintStream out) {
    var graph = new GraphBuilder("hinted");
    NodeEntry x = graph.input("x", TensorType.of(DType.FLOAT32, 64, 64));
    NodeEntry a = graph.noting(Notes.REPEAT, "always").apply("Tanh", x);
    NodeEntry b = graph.apply("Softmax", graph.apply("MatMul", a, a));
    graph.output("y", graph.apply("Add", b, a));
    try (Session session = Session.of(graph.build(), SessionOptions.DEFAULT)) {
      out.println(session.compiled().orElseThrow().recomputed().orElseThrow().recomputations());
    }
    Graph once = graph.build().withNotes(Map.of("Tanh", Notes.NONE.with(Notes.REPEAT, "never")));
    try (Session session = Session.of(once, SessionOptions.DEFAULT)) {
      out.println(session.compiled().orElseThrow().recomputed().isEmpty());
    }
    Graph result = graph.build().withNotes(Map.of("Add", Notes.NONE.with(Notes.REPEAT, "always")));
    try (Session session = Session.of(result, SessionOptions.DEFAULT)) {
      out.println(session.info());
    } catch (RefusedHint e) {
      out.println(e.hint() + " at " + e.node());
    }
  }

  private static String packed(String lines) {
    return lines.lines().map(it -> it.replaceFirst(" // .*", "").replace("System.out", "out").strip()).collect(
      Collectors.joining("\n"));
  }

  @Test
  void thePageHasTheseLinesAndSaysWhatTheyPrint() throws IOException {
    String page = Files.readString(ROOT.resolve("docs/howto/recompute-hints.md"));
    List<String> examples = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL).matcher(page).results().map(it -> it
      .group(1)).toList();
    assertThat(examples).hasSize(1);
    String own = Files.readString(ROOT.resolve(
      "runtime/session/src/test/java/dev/cairn/runtime/session/RecomputeHintsPageTest.java"));
    assertThat(packed(own)).contains(packed(examples.getFirst()));
    List<String> promised = Pattern.compile("println.*; // (.*)").matcher(examples.getFirst()).results().map(it -> it
      .group(1)).toList();
    var printed = new ByteArrayOutputStream();
    try (var out = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
      example(out);
    }
    assertThat(printed.toString(StandardCharsets.UTF_8).lines()).containsExactlyElementsOf(promised);
  }
}
