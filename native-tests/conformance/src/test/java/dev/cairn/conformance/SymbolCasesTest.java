package dev.cairn.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.row.ProcessorKernels;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.backend.DeviceOptions;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.graph.PartialType;
import dev.cairn.runtime.infer.TypeInference;
import dev.cairn.runtime.infer.ValueEvaluator;
import dev.cairn.runtime.onnx.OnnxReader;
import dev.cairn.runtime.operator.ContainerOperators;
import dev.cairn.runtime.operator.OperatorTable;
import dev.cairn.runtime.operator.family.StandardOperators;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.symbol.NameScope;
import dev.cairn.runtime.symbol.Symbol;
import dev.cairn.runtime.symbol.SymbolTypes;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * I-6 and S-5: each operator composed as a symbol gives the graph that the operator itself gives, with the types of
 * ordinary inference, and a session computes the same bits of both.
 */
class SymbolCasesTest {
  private static final OperatorTable OPERATORS = StandardOperators.table();
  private static final SessionOptions AS_WRITTEN = SessionOptions.DEFAULT.withThreads(1).withDevice(DeviceOptions.CPU
    .withKernels(ProcessorKernels.Wanted.PORTABLE)).withCompile(CompileOptions.DEFAULT.withSimplify(false));
  /** Runs of one case of so many, of each operator; the graphs of all are compared. */
  private static final int RUN_EVERY = 64;

  @TempDir
  private Path folder;

  private final Map<String, Integer> composed = new HashMap<>();
  private final List<String> failures = new ArrayList<>();
  private int compared;
  private int run;

  @Test
  void symbolsGiveTheGraphsAndBitsOfTheirOperators() throws IOException {
    for (NodeCase one : NodeCaseArchive.read(SharedData.require("onnx-node/onnx-node-v1.22.0.tar.gz"))) {
      if (!one.isExpanded()) {
        compare(one);
      }
    }
    assertThat(failures).isEmpty();
    assertThat(compared).isGreaterThan(700);
    assertThat(run).isGreaterThan(100);
    assertThat(composed).hasSizeGreaterThan(170);
  }

  private void compare(NodeCase one) throws IOException {
    Graph graph;
    List<TensorView> inputs;
    try {
      graph = OnnxReader.read(one.model(folder), OPERATORS);
      inputs = one.tensors(folder);
    } catch (RuntimeException e) {
      // Cairn does not claim to run this case: NodeCasesTest judges that.
      return;
    }
    if (graph.nodes().stream().anyMatch(SymbolCasesTest::isNoTensorOperator) || inputs.size() != graph.inputs()
      .size()) {
      return;
    }
    try (var _ = NameScope.fresh()) {
      Symbol symbol = composed(graph);
      Graph closed = symbol.graph();
      compared++;
      if (!text(closed).equals(text(graph))) {
        failures.add("%s: %s instead of %s".formatted(one.name(), text(closed), text(graph)));
      }
      requireSameTypes(one, graph, symbol, inputs);
      runBoth(one, graph, closed, inputs);
    }
  }

  private static boolean isNoTensorOperator(Node node) {
    return node.kind() instanceof NodeKind.Control || ContainerOperators.find(node.operator()).isPresent();
  }

  private static Symbol composed(Graph graph) {
    Map<NodeEntry, Symbol> symbols = new HashMap<>();
    for (Node node : graph.nodes()) {
      switch (node.kind()) {
        case NodeKind.Input _ -> symbols.put(node.entry(), Symbol.variable(node.name()));
        case NodeKind.Constant(TensorView value) -> symbols.put(node.entry(), Symbol.constant(node.name(), value));
        case NodeKind.Apply kind -> {
          List<@Nullable Symbol> operands = new ArrayList<>();
          node.inputs().forEach(it -> operands.add(it.isAbsent() ? null : symbols.get(it)));
          // Operators are applied through any symbol, which is not an operand.
          List<Symbol> results = Symbol.variable("none").apply(kind.operator(), kind.attributes(), kind.outputs(),
            operands);
          for (int i = 0; i < results.size(); i++) {
            symbols.put(node.entry(i), results.get(i));
          }
        }
        default -> throw new AssertionError(node);
      }
    }
    return Symbol.group(graph.outputs().stream().map(it -> symbols.get(it.entry())).toArray(Symbol[]::new));
  }

  /** Operators, attributes and places of operands, without names, and without the types of inputs. */
  private static List<String> text(Graph graph) {
    List<Node> nodes = graph.nodes().stream().filter(it -> !(it.kind() instanceof NodeKind.Input)).toList();
    Map<Node, String> places = new HashMap<>();
    graph.inputs().forEach(it -> places.put(it, it.name()));
    nodes.forEach(it -> places.put(it, "#" + places.size()));
    List<String> lines = new ArrayList<>();
    for (Node node : nodes) {
      lines.add(node.kind() instanceof NodeKind.Apply kind
        ? kind + node.inputs().stream().map(it -> places.get(it.node()) + ":" + it.index()).toList().toString()
        : node.operator());
    }
    graph.outputs().forEach(it -> lines.add(places.get(it.entry().node()) + ":" + it.entry().index()));
    return lines;
  }

  private void requireSameTypes(NodeCase one, Graph graph, Symbol symbol, List<TensorView> inputs) {
    Map<String, PartialType> partial = new LinkedHashMap<>();
    Map<String, TensorType> types = new LinkedHashMap<>();
    for (int i = 0; i < inputs.size(); i++) {
      types.put(graph.inputs().get(i).name(), inputs.get(i).type());
      partial.put(graph.inputs().get(i).name(), PartialType.of(inputs.get(i).type()));
    }
    GraphTypes wanted;
    try {
      wanted = new TypeInference(OPERATORS, ValueEvaluator.NONE).infer(graph, types);
    } catch (RuntimeException e) {
      // A shape depends on a value, or the case is not claimed.
      return;
    }
    List<String> variables = new ArrayList<>(symbol.arguments());
    variables.addAll(symbol.states());
    partial.keySet().retainAll(variables);
    try {
      SymbolTypes given = symbol.inferPartial(partial);
      for (int i = 0; i < given.outputs().size(); i++) {
        PartialType type = PartialType.of(wanted.type(graph.outputs().get(i).entry()));
        if (!given.outputs().get(i).equals(type)) {
          failures.add("%s: output %d is %s instead of %s".formatted(one.name(), i, given.outputs().get(i), type));
        }
      }
    } catch (RuntimeException e) {
      failures.add(one.name() + ": " + e);
    }
  }

  private void runBoth(NodeCase one, Graph graph, Graph closed, List<TensorView> inputs) {
    boolean wanted = false;
    for (Node node : graph.nodes()) {
      if (node.kind() instanceof NodeKind.Apply) {
        wanted |= composed.merge(node.operator(), 1, Integer::sum) % RUN_EVERY == 1;
      }
    }
    if (!wanted || graph.nodes().stream().anyMatch(it -> it.kind().attributes().has("seed"))) {
      return;
    }
    List<byte[]> before;
    try {
      before = results(graph, graph, inputs);
    } catch (RuntimeException e) {
      return;
    }
    run++;
    List<byte[]> after = results(closed, graph, inputs);
    for (int i = 0; i < before.size(); i++) {
      if (!Arrays.equals(before.get(i), after.get(i))) {
        failures.add("%s: other bits of output %d".formatted(one.name(), i));
      }
    }
  }

  private static List<byte[]> results(Graph graph, Graph named, List<TensorView> inputs) {
    Map<String, Tensor> given = new LinkedHashMap<>();
    List<String> declared = graph.inputs().stream().map(Node::name).toList();
    for (int i = 0; i < inputs.size(); i++) {
      String name = named.inputs().get(i).name();
      if (declared.contains(name)) {
        given.put(name, Tensor.copyOf(inputs.get(i)));
      }
    }
    try (Session session = Session.of(graph, AS_WRITTEN); Result result = session.run(given)) {
      return graph.outputs().stream().map(it -> result.get(it.name()).toByteArray()).toList();
    }
  }
}
