package dev.cairn.runtime.zoo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.FusionChoice;
import dev.cairn.runtime.compile.Precision;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphRewriter;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.Notes;
import dev.cairn.runtime.infer.InputBinding;
import dev.cairn.runtime.session.ModelCompiler;
import dev.cairn.runtime.session.SessionOptions;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** P6: nodes keep their notes through every pass of a compiler, and notes change nothing else. */
class ZooNotesTest {
  @ParameterizedTest
  @CsvSource({"mlp, AS_WRITTEN", "resnet50, AS_WRITTEN", "mobilenet_v2, AS_WRITTEN", "bert_base, FLOAT16",
    "gpt2, AS_WRITTEN"})
  void p6EveryNodeKeepsItsNotes(String name, Precision precision) {
    Graph graph = Zoo.build(name, ZooOptions.DEFAULT.withSequenceLength(16));
    Graph noted = GraphRewriter.rewrite(graph, (_, current) -> current.withNotes(Notes.NONE.with(
      "of", current.name())).entries());
    try (var compiler = ModelCompiler.open(SessionOptions.DEFAULT)) {
      CompileOptions options = CompileOptions.DEFAULT.withFusion(FusionChoice.ON).withPrecision(precision);
      Map<String, Node> steps = nodes(compiler.compile(noted, InputBinding.ofExtent(noted, 1), options));
      Map<String, Node> plain = nodes(compiler.compile(graph, InputBinding.ofExtent(graph, 1), options));
      assertEquals(plain.keySet(), steps.keySet());
      var names = graph.nodes().stream().map(Node::name).collect(Collectors.toSet());
      long kept = steps.values().stream().filter(it -> names.contains(it.name())).peek(it -> assertEquals(it.name(), it
        .notes().get("of").orElse("none"), it.toString())).count();
      assertTrue(kept > steps.size() / 2, name + " kept=" + kept + " steps=" + steps.size());
    }
  }

  private static Map<String, Node> nodes(CompiledGraph compiled) {
    return compiled.storage().steps().stream().collect(Collectors.toMap(Node::name, it -> it));
  }
}
