package dev.cairn.runtime.compile;

import dev.cairn.kernels.attribute.Operators;
import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.cpu.team.CpuDevice;
import dev.cairn.kernels.row.StandardKernels;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.custom.OperatorRegistry;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphRewriter;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.infer.TypeInference;
import dev.cairn.runtime.invoke.DispatchTable;
import dev.cairn.runtime.operator.OperatorTable;
import dev.cairn.runtime.pass.PassResult;
import dev.cairn.runtime.pass.gradient.GradientGraph;
import dev.cairn.runtime.pass.gradient.GradientOptions;
import dev.cairn.runtime.pass.gradient.GradientPass;
import dev.cairn.runtime.pass.gradient.MirrorChoice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Gradients of a model. The model is simplified first, while its operators are still those that users wrote: attention
 * becomes one node before its scores have further readers. The result is an ordinary graph with fixed shapes, for a
 * session or a compiler, which simplifies again, chooses precisions, fuses, orders and plans.
 *
 * <p>Immutable.
 *
 * @param operators of the model
 * @param compile says how to simplify; precision, layout, fusion and passes of users are left to the compiler
 * @param options how gradients are built; nodes are computed again only if the plan becomes smaller
 * @param heads the head gradients of outputs, by the output's name: the name of an input or of another output. The head
 *   gradients of other outputs are ones
 */
public record Gradients(OperatorRegistry operators, CompileOptions compile, GradientOptions options,
  Map<String, String> heads) {
  public static final Gradients DEFAULT = new Gradients(OperatorRegistry.STANDARD, CompileOptions.DEFAULT,
    GradientOptions.DEFAULT, Map.of());

  private record Typed(Graph graph, GraphTypes types, TypeInference inference) {}

  public Gradients {
    heads = Map.copyOf(heads);
  }

  public Gradients withOperators(OperatorRegistry other) {
    return new Gradients(other, compile, options, heads);
  }

  public Gradients withCompile(CompileOptions other) {
    return new Gradients(operators, other, options, heads);
  }

  public Gradients withOptions(GradientOptions other) {
    return new Gradients(operators, compile, other, heads);
  }

  /** @param other by the output's name, the name of an input or of another output */
  public Gradients withHeads(Map<String, String> other) {
    return new Gradients(operators, compile, options, other);
  }

  /**
   * The gradients of outputs with respect to inputs, variables and constants.
   *
   * @param inputs the type of each of the graph's inputs, by name
   * @param ys names of outputs
   * @param xs names of inputs, variables or constants of float types; constants become variables of the same name
   * @throws IllegalArgumentException when there is no such output, input, variable or constant
   * @throws dev.cairn.runtime.operator.UnsupportedOperators when gradients would flow through operators without one
   */
  public GradientGraph of(Graph graph, Map<String, TensorType> inputs, List<String> ys, List<String> xs) {
    Graph opened = opened(operators.inlined(graph), inputs, xs);
    try (var device = new CpuDevice(1)) {
      Typed simplified = simplified(opened, inputs, device);
      Graph forward = simplified.graph;
      List<GradientPass.Head> weighted = ys.stream().map(y -> new GradientPass.Head(output(forward, y), Optional
        .ofNullable(heads.get(y)).map(head -> inputOrOutput(forward, head)))).toList();
      List<NodeEntry> roots = xs.stream().map(x -> root(forward, x)).toList();
      GradientGraph plain = new GradientPass(operators.table(), options.withMirror(MirrorChoice.NONE),
        simplified.inference::infer).of(forward,
          simplified.types, weighted, roots);
      if (options.mirror().of(forward).isEmpty()) {
        return plain;
      }
      GradientGraph mirrored = new GradientPass(operators.table(), options, simplified.inference::infer).of(forward,
        simplified.types, weighted,
        roots);
      return peakBytes(mirrored, inputs, device) < peakBytes(plain, inputs, device) ? mirrored : plain;
    }
  }

  private long peakBytes(GradientGraph gradients, Map<String, TensorType> inputs, CpuDevice device) {
    return new Compiler(operators.table(), operators.onHost(StandardKernels.catalog()), device.defaultStream()).compile(
      gradients.withOutputs(), inputs, compile).plan().peakBytes();
  }

  /**
   * The graph with the types of its inputs, and with variables instead of the constants whose gradients are computed.
   */
  private static Graph opened(Graph graph, Map<String, TensorType> inputs, List<String> xs) {
    Map<Node, NodeEntry> places = new LinkedHashMap<>();
    for (Node node : graph.nodes()) {
      if (node.kind() instanceof NodeKind.Input && inputs.containsKey(node.name())) {
        places.put(node, Node.input(node.name(), DeclaredType.of(inputs.get(node.name()))).withNotes(node.notes())
          .entry());
      } else if (node.kind() instanceof NodeKind.Constant(TensorView value) && xs.contains(node.name())) {
        places.put(node, Node.variable(node.name(), value).withNotes(node.notes()).entry());
      }
    }
    List<NodeEntry> roots = new ArrayList<>();
    graph.outputs().forEach(it -> roots.add(it.entry()));
    graph.assigns().forEach(it -> roots.add(it.entry()));
    List<NodeEntry> moved = GraphRewriter.substitute(roots, places);
    List<Graph.Output> outputs = new ArrayList<>();
    graph.outputs().forEach(it -> outputs.add(new Graph.Output(it.name(), moved.get(outputs.size()), it.declared())));
    return new Graph(graph.name(), graph.inputs().stream().map(it -> places.getOrDefault(it, it.entry()).node())
      .toList(), outputs, moved.subList(outputs.size(), moved.size()).stream().map(NodeEntry::node).toList());
  }

  private Typed simplified(Graph graph, Map<String, TensorType> inputs, CpuDevice device) {
    OperatorTable table = operators.table();
    KernelCatalog catalog = operators.onHost(StandardKernels.catalog());
    var evaluator = new KernelEvaluator(table, new DispatchTable(table, catalog, 1), device.defaultStream());
    var inference = new TypeInference(table, evaluator, compile.unrolling());
    boolean attention = compile.attention() && options.gradient(Operators.ATTENTION, table).rule().isPresent();
    CompileOptions forward = compile.withAttention(attention).withPrecision(Precision.AS_WRITTEN).withoutPasses();
    PassResult result = new Simplification(forward, table, evaluator, new KernelChoice(catalog),
      inference).of(graph,
        inputs);
    return new Typed(result.graph(), result.types().orElseGet(() -> inference.infer(result.graph(), inputs)),
      inference);
  }

  private static NodeEntry output(Graph graph, String name) {
    return graph.outputs().stream().filter(it -> it.name().equals(name)).findFirst().orElseThrow(
      () -> new IllegalArgumentException("no such output: name=%s outputs=%s".formatted(name, graph.outputs().stream()
        .map(Graph.Output::name).toList())))
      .entry();
  }

  private static NodeEntry inputOrOutput(Graph graph, String name) {
    return graph.inputs().stream().filter(it -> it.name().equals(name)).findFirst().map(Node::entry).orElseGet(
      () -> output(graph, name));
  }

  private static NodeEntry root(Graph graph, String name) {
    Map<String, Node> roots = new HashMap<>();
    Stream.concat(graph.inputs().stream(), graph.variables().stream()).forEach(it -> roots.put(it.name(), it));
    return Optional.ofNullable(roots.get(name)).orElseThrow(() -> new IllegalArgumentException(
      "the outputs depend on no such input, variable or constant: name=%s known=%s".formatted(name, roots.keySet()
        .stream().sorted().toList())))
      .entry();
  }
}
