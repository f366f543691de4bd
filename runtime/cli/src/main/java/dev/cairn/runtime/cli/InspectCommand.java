package dev.cairn.runtime.cli;

import dev.cairn.allocator.report.StatsText;
import dev.cairn.runtime.cli.option.ModelOption;
import dev.cairn.runtime.cli.text.Json;
import dev.cairn.runtime.cli.text.Table;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphText;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.onnx.DeclaredOutputs;
import dev.cairn.runtime.onnx.OnnxFormat;
import dev.cairn.runtime.onnx.OnnxReader;
import dev.cairn.runtime.onnx.decode.ModelSummary;
import dev.cairn.runtime.session.ModelSource;
import dev.cairn.runtime.symbol.Symbol;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code cairn inspect}: what a model takes, gives and consists of; {@code -v} prints the graph. */
@Command
final class InspectCommand extends CairnCommand {
  @Mixin
  private ModelOption model = new ModelOption();

  /** A word of a type that is longer than a table's column should be: its beginning is group 1. */
  private static final Pattern LONG_NAME = Pattern.compile("(?<![^\\[ ])([^\\[\\] ]{21})[^\\[\\] ]{4,}");

  /** What there is to say, whether the model is a file or was built in code. */
  private record Facts(String origin, Map<String, String> inputs, Map<String, String> outputs,
    Map<String, Integer> operators, long weightElements, long weightBytes) {

    String text(String model) {
      String head = "model    %s (%s)%nweights  %,d numbers, %s%n".formatted(model, origin, weightElements,
        StatsText.bytes(
          weightBytes));
      return head + table("inputs", "type", inputs) + table("outputs", "type", outputs) + table("operators", "uses",
        operators);
    }

    private static String table(String what, String of, Map<String, ?> rows) {
      var table = new Table(what, of);
      rows.forEach((name, value) -> table.row(name, shortened(value.toString())));
      return table.text("");
    }

    /** Exporters name dimensions after formulas; a long name keeps its beginning. The document has them whole. */
    private static String shortened(String type) {
      return LONG_NAME.matcher(type).replaceAll("$1...");
    }

    Map<String, Object> document(String model) {
      Map<String, Object> document = Json.document("inspect");
      document.put("model", model);
      document.put("origin", origin);
      document.put("inputs", inputs);
      document.put("outputs", outputs);
      document.put("operators", operators);
      document.put("weightElements", weightElements);
      document.put("weightBytes", weightBytes);
      return document;
    }
  }

  @Override
  ExitCode execute() {
    Path file = model.file();
    Facts facts = file == null
      ? ofGraph(model.load(), "reference model, built in code", DeclaredOutputs::of)
      : new OnnxFormat().recognises(ModelSource.of(file))
        ? ofFile(OnnxReader.summary(file))
        : ofGraph(model.load(), "as Cairn reads it", graph -> Symbol.of(graph).inferPartial(Map.of()).outputs());
    for (String name : model.shapes().keySet()) {
      if (!facts.inputs.containsKey(name)) {
        throw new IllegalArgumentException("no such input: input=%s inputs=%s".formatted(name, facts.inputs.keySet()));
      }
    }
    String graph = verbosity().isVerbose() ? GraphText.of(model.load()) : "";
    print(facts.text(model.name()) + graph, facts.document(model.name()));
    return ExitCode.OK;
  }

  private static Facts ofFile(ModelSummary summary) {
    ModelSummary.Origin origin = summary.origin();
    String from = "ONNX, IR %d, opset %s%s".formatted(origin.irVersion(), origin.opsets().get(""), origin.producer()
      .isEmpty() ? "" : ", by " + origin.producer());
    Map<String, String> inputs = new LinkedHashMap<>();
    summary.inputs().forEach(value -> inputs.put(value.name(), value.type()));
    Map<String, String> outputs = new LinkedHashMap<>();
    summary.outputs().forEach(value -> outputs.put(value.name(), value.type()));
    return new Facts(from, inputs, outputs, summary.operators(), summary.weights().elements(),
      summary.weights().bytes());
  }

  private static Facts ofGraph(Graph graph, String origin, Function<Graph, List<?>> outputTypes) {
    Map<String, String> inputs = new LinkedHashMap<>();
    long elements = 0;
    long bytes = 0;
    for (Node node : graph.nodes()) {
      switch (node.kind()) {
        case NodeKind.Input(var type) -> inputs.put(node.name(), type.toString());
        case NodeKind.Constant(var value) -> {
          elements += value.elementCount();
          bytes += value.type().bytes();
        }
        case NodeKind.Deferred deferred -> throw new AssertionError("made by a compiler only: node=" + node.name());
        case NodeKind.Variable variable -> {}
        case NodeKind.Assign assign -> {}
        case NodeKind.Apply apply -> {}
        case NodeKind.Control control -> throw new AssertionError("no such model has bodies: node=" + node.name());
        case NodeKind.Parameter parameter -> {}
        case NodeKind.Absent absent -> {}
      }
    }
    Map<String, String> outputs = new LinkedHashMap<>();
    List<?> types = outputTypes.apply(graph);
    for (int i = 0; i < types.size(); i++) {
      outputs.put(graph.outputs().get(i).name(), types.get(i).toString());
    }
    return new Facts(origin, inputs, outputs, OpsCommand.counts(graph), elements, bytes);
  }
}
