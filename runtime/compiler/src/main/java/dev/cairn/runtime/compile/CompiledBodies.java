package dev.cairn.runtime.compile;

import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphRewriter;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.graph.NodeNames;
import dev.cairn.runtime.infer.BodyTypes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Compiles the bodies of a graph. Their constants become operands of the nodes around them, so that they are stored
 * with the graph's own.
 */
final class CompiledBodies {
  private final GraphTypes types;
  private final Compiler compiler;
  private final BodyCompiler bodies;
  private final CompileOptions options;
  private final NodeNames names;
  private final Map<Node, KernelRow> kernels = new HashMap<>();

  /** @param kernels of the nodes that run bodies */
  record Result(Graph graph, Map<Node, KernelRow> kernels) {}

  private CompiledBodies(Graph graph, GraphTypes types, Compiler compiler, BodyCompiler bodies,
    CompileOptions options) {
    this.types = types;
    this.compiler = compiler;
    this.bodies = bodies;
    this.options = options;
    this.names = NodeNames.of(graph);
  }

  /**
   * @param compiler whose results are bound
   * @param bodies how it compiles them
   * @param options of the bodies
   */
  static Result of(Graph graph, GraphTypes types, Compiler compiler, BodyCompiler bodies, CompileOptions options) {
    var walk = new CompiledBodies(graph, types, compiler, bodies, options);
    Graph changed = GraphRewriter.rewrite(graph, (old, current) -> current.kind() instanceof NodeKind.Control control
      ? walk.compiled(old, current, control).entries()
      : current.entries());
    return new Result(changed, walk.kernels);
  }

  private Node compiled(Node old, Node node, NodeKind.Control control) {
    List<TensorType> parameters = BodyTypes.parameters(old, types::type);
    List<CompiledGraph> compiled = new ArrayList<>();
    for (Graph body : control.bodies()) {
      compiled.add(bodies.compile(compiler, new BodyCompiler.Body(node, compiled.size()), BodyTypes.named(body,
        parameters), options));
    }
    List<NodeEntry> constants = compiled.stream().flatMap(body -> body.storage().constants().stream()).map(
      it -> Node.constant(names.unique(it.name()), it.constant().orElseThrow()).entry()).toList();
    List<NodeEntry> inputs = new ArrayList<>(node.inputs());
    inputs.addAll(constants);
    List<Graph> bodies = control.bodies().stream().map(body -> withParameters(body, constants.size())).toList();
    Node made = node.with(control.withBodies(bodies), inputs);
    ControlKernel kernel = switch (control) {
      case NodeKind.Branch branch -> new ControlKernel.Branch(compiled, node.inputs().size());
      case NodeKind.Repeat repeat -> new ControlKernel.Repeat(compiled.get(0), repeat, parameters, node.inputs().size(),
        trips(old, repeat));
    };
    kernels.put(made, new KernelRow(node.operator(), KernelRow.Twin.PORTABLE, KernelRow.Decides.FIRST_OUTPUT, Set.of(
      DType.values()), kernel));
    return made;
  }

  /** The body with more parameters, which it does not read. */
  private static Graph withParameters(Graph body, int count) {
    NodeNames taken = NodeNames.of(body);
    List<Node> inputs = new ArrayList<>(body.inputs());
    for (int i = 0; i < count; i++) {
      inputs.add(Node.parameter(taken.unique("constant"), Optional.empty()));
    }
    return new Graph(body.name(), inputs, body.outputs());
  }

  /** The number of trips; it is known where neither a value nor the body's condition ends the loop. */
  private OptionalLong trips(Node node, NodeKind.Repeat repeat) {
    NodeEntry condition = node.inputs().get(1);
    boolean isConditioned = !condition.isAbsent() && types.value(condition).filter(it -> it.longAt(0) != 0).isEmpty();
    boolean goesOn = repeat.body().outputs().get(0).entry().equals(repeat.body().inputs().get(1).entry());
    if (isConditioned || !goesOn) {
      return OptionalLong.empty();
    }
    if (!repeat.scanned().isEmpty() && node.inputs().get(0).isAbsent()) {
      TensorType whole = types.type(node.inputs().get(2 + repeat.carried()));
      return OptionalLong.of(whole.shape().extent(BodyTypes.axis(node, repeat.scanned().get(0), whole.shape()
        .rank())));
    }
    return !node.inputs().get(0).isAbsent() && repeat.scanned().isEmpty()
      ? types.value(node.inputs().get(0)).map(count -> OptionalLong.of(Math.max(0, count.longAt(0))))
        .orElse(OptionalLong
          .empty())
      : OptionalLong.empty();
  }
}
