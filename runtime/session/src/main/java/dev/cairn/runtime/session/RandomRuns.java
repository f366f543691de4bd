package dev.cairn.runtime.session;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.RandomForm;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphRewriter;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.graph.NodeNames;
import dev.cairn.runtime.operator.OperatorDefinition;
import dev.cairn.runtime.operator.family.StandardOperators;
import dev.cairn.runtime.resource.RandomState;
import dev.cairn.runtime.value.Tensor;
import dev.cairn.runtime.value.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The random numbers of a session. With a random state, the model's random nodes read seed and first draw from an
 * input that users do not see. Each run takes as many draws of the state as the model has such nodes.
 *
 * @param declared the model as users see it
 * @param graph what runs
 * @param source where the numbers come from; empty if nodes keep their own seeds and draws
 */
record RandomRuns(Graph declared, Graph graph, Optional<Source> source) {
  private static final TensorType TYPE = TensorType.of(DType.INT64, 2);

  /**
   * The numbers of all runs.
   *
   * @param input the name of the input that has them
   * @param draws how many draws a run takes
   */
  record Source(RandomState state, String input, int draws) {}

  /** Nodes with a seed of their own, and those inside of control flow, stay as they are. */
  static RandomRuns of(Graph graph, Optional<RandomState> state) {
    List<Node> random = state.isEmpty() ? List.of() : graph.nodes().stream().filter(RandomRuns::isDrawn).toList();
    if (random.isEmpty()) {
      return new RandomRuns(graph, graph, Optional.empty());
    }
    String name = NodeNames.of(graph).unique("random");
    Node input = Node.input(name, DeclaredType.of(TYPE));
    List<Node> inputs = new ArrayList<>(graph.inputs());
    inputs.add(input);
    Graph opened = new Graph(graph.name(), inputs, graph.outputs(), graph.assigns());
    Graph drawing = GraphRewriter.rewrite(opened, (old, current) -> {
      int draw = random.indexOf(old);
      return (draw < 0 ? current : drawn(current, input.entry(), draw)).entries();
    });
    return new RandomRuns(graph, drawing, Optional.of(new Source(state.get(), name, random.size())));
  }

  /** Whether a node draws numbers, and nothing says which. */
  private static boolean isDrawn(Node node) {
    if (!(node.kind() instanceof NodeKind.Apply(String operator, Attributes attributes, int _))) {
      return false;
    }
    Optional<OperatorDefinition> row = StandardOperators.table().find(operator).filter(it -> it.facts().draws());
    if (row.isEmpty() || RandomForm.of(attributes).isSeedGiven()) {
      return false;
    }
    int operand = row.get().facts().draw();
    boolean isGiven = node.inputs().size() > operand && !node.inputs().get(operand).isAbsent();
    // Outside of training, Dropout draws nothing: its result is its input.
    return !isGiven && !row.get().memory().of(attributes).alias();
  }

  private static Node drawn(Node node, NodeEntry state, int draw) {
    if (!(node.kind() instanceof NodeKind.Apply apply)) {
      throw new AssertionError("not an operator: node=" + node);
    }
    List<NodeEntry> inputs = new ArrayList<>(node.inputs());
    int operand = StandardOperators.table().facts(apply.operator()).draw();
    while (inputs.size() <= operand) {
      inputs.add(Node.absent());
    }
    inputs.set(operand, state);
    var kind = new NodeKind.Apply(apply.operator(), apply.attributes().with("draw", draw), apply.outputs());
    return node.with(kind, inputs);
  }

  /** A run's inputs with the next draws. */
  Map<String, ? extends Value> withDraws(Map<String, ? extends Value> inputs) {
    Optional<SessionRuns.Draws> draws = draws(inputs.keySet());
    if (draws.isEmpty()) {
      return inputs;
    }
    Map<String, Value> all = new LinkedHashMap<>(inputs);
    all.put(draws.get().input(), Tensor.copyOf(draws.get().numbers()));
    return all;
  }

  /**
   * The next draws; empty if the model draws none.
   *
   * @param given the names of the inputs that users give; their types are checked later
   * @throws IllegalArgumentException when an input of the model is missing, or there is none of the name; then no
   *   number is drawn
   */
  Optional<SessionRuns.Draws> draws(Set<String> given) {
    if (source.isEmpty()) {
      return Optional.empty();
    }
    Set<String> names = declared.inputs().stream().map(Node::name).collect(Collectors.toCollection(LinkedHashSet::new));
    if (!names.equals(given)) {
      throw new IllegalArgumentException("the inputs are not those of the model: inputs=%s model=%s".formatted(given,
        names));
    }
    Source from = source.get();
    return Optional.of(new SessionRuns.Draws(from.input, from.state.draws(from.draws)));
  }

  /** The types of a run's inputs, with inputs that users do not give. */
  Map<String, TensorType> types(Map<String, TensorType> inputs) {
    Map<String, TensorType> all = new LinkedHashMap<>(inputs);
    source.ifPresent(it -> all.put(it.input, TYPE));
    return all;
  }
}
