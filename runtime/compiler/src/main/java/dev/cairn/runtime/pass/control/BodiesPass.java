package dev.cairn.runtime.pass.control;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.graph.ConstantSource;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphCopy;
import dev.cairn.runtime.graph.GraphRewriter;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.graph.NodeNames;
import dev.cairn.runtime.infer.BodyTypes;
import dev.cairn.runtime.pass.Fact;
import dev.cairn.runtime.pass.Pass;
import dev.cairn.runtime.pass.PassContext;
import dev.cairn.runtime.pass.PassManager;
import dev.cairn.runtime.pass.Readers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * Runs passes inside bodies until nothing changes. A captured value that has become a constant is copied into each body
 * first, and one that no body reads any more is no operand afterwards.
 */
public final class BodiesPass implements Pass {
  private static final int MOST_ROUNDS = 8;

  private final List<Pass> passes;
  private final BiFunction<Graph, Map<String, TensorType>, GraphTypes> inference;

  /**
   * @param passes for graphs, which do not contain this one: bodies inside of bodies are walked anyway
   * @param inference finds the types of a body from those of its parameters, by name
   */
  public BodiesPass(List<Pass> passes, BiFunction<Graph, Map<String, TensorType>, GraphTypes> inference) {
    this.passes = List.copyOf(passes);
    this.inference = inference;
  }

  @Override
  public String name() {
    return "bodies";
  }

  @Override
  public Set<Fact<?>> requires() {
    return Set.of(Fact.TYPES);
  }

  @Override
  public Graph apply(Graph graph, PassContext context) {
    if (graph.nodes().stream().noneMatch(node -> node.kind() instanceof NodeKind.Control)) {
      return graph;
    }
    return GraphRewriter.rewrite(graph, (old, current) -> current.kind() instanceof NodeKind.Control control
      && !isDecided(old, context.types())
        ? withPassed(old, current, control, context.types()).entries()
        : current.entries());
  }

  /**
   * Whether other nodes will take the node's place. Then its bodies are left alone: the types of trips may differ, and
   * a branch that does not run has no types.
   */
  private static boolean isDecided(Node node, GraphTypes types) {
    return types.trips(node).isPresent()
      || (node.kind() instanceof NodeKind.Branch && types.value(node.inputs().get(0)).isPresent());
  }

  private Node withPassed(Node old, Node node, NodeKind.Control control, GraphTypes types) {
    List<TensorType> parameters = BodyTypes.parameters(old, types::type);
    List<Graph> bodies = new ArrayList<>();
    for (Graph body : control.bodies()) {
      Map<String, TensorType> named = BodyTypes.named(body, parameters);
      Graph folded = withConstants(body, old, node, types);
      bodies.add(new PassManager(it -> inference.apply(it, named)).runUntilStable(folded, insideOut(), MOST_ROUNDS)
        .graph());
    }
    List<Integer> unread = unread(node, control, bodies);
    if (unread.isEmpty() && bodies.equals(control.bodies())) {
      return node;
    }
    List<Graph> smaller = bodies.stream().map(body -> without(body, control, unread)).toList();
    List<NodeEntry> inputs = IntStream.range(0, node.inputs().size()).filter(it -> !unread.contains(it)).mapToObj(
      node.inputs()::get).toList();
    return node.with(control.withBodies(smaller), inputs);
  }

  private List<Pass> insideOut() {
    List<Pass> all = new ArrayList<>(passes);
    all.add(this);
    return all;
  }

  /** The body with a constant in the place of each parameter whose operand has a known value. */
  private static Graph withConstants(Graph body, Node old, Node node, GraphTypes types) {
    var readers = new Readers(body);
    NodeNames names = NodeNames.of(body);
    List<NodeEntry> arguments = new ArrayList<>(body.inputs().stream().map(Node::entry).toList());
    boolean any = false;
    NodeKind.Control control = (NodeKind.Control) node.kind();
    for (int operand = control.firstCapture(); operand < node.inputs().size(); operand++) {
      int index = operand - control.firstCapture() + control.firstCapturedParameter();
      Node parameter = body.inputs().get(index);
      int captured = operand;
      Optional<ConstantSource> source = node.inputs().get(operand).node().constant().or(() -> types.value(old.inputs()
        .get(captured)).map(ConstantSource.Given::new));
      if (readers.of(parameter.entry()) > 0 && source.isPresent()) {
        arguments.set(index, Node.constant(names.unique(parameter.name() + "/value"), source.get()).entry());
        any = true;
      }
    }
    return any ? copy(body, body.inputs(), arguments) : body;
  }

  /** The captured operands that no body reads. */
  private static List<Integer> unread(Node node, NodeKind.Control control, List<Graph> bodies) {
    List<Readers> readers = bodies.stream().map(Readers::new).toList();
    List<Integer> unread = new ArrayList<>();
    for (int operand = control.firstCapture(); operand < node.inputs().size(); operand++) {
      int parameter = operand - control.firstCapture() + control.firstCapturedParameter();
      boolean isRead = IntStream.range(0, bodies.size()).anyMatch(it -> readers.get(it).of(bodies.get(it).inputs().get(
        parameter).entry()) > 0);
      if (!isRead) {
        unread.add(operand);
      }
    }
    return unread;
  }

  private static Graph without(Graph body, NodeKind.Control control, List<Integer> unread) {
    if (unread.isEmpty()) {
      return body;
    }
    int shift = control.firstCapture() - control.firstCapturedParameter();
    List<Node> kept = IntStream.range(0, body.inputs().size()).filter(it -> !unread.contains(it + shift)).mapToObj(body
      .inputs()::get).toList();
    return new Graph(body.name(), kept, body.outputs());
  }

  private static Graph copy(Graph body, List<Node> inputs, List<NodeEntry> arguments) {
    List<NodeEntry> results = GraphCopy.of(body, arguments, UnaryOperator.identity());
    List<Graph.Output> outputs = IntStream.range(0, results.size()).mapToObj(it -> new Graph.Output(body.outputs().get(
      it).name(), results.get(it))).toList();
    return new Graph(body.name(), inputs, outputs);
  }
}
