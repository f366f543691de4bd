package dev.cairn.runtime.infer;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.ConstantSource;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.operator.ContainerOperators;
import dev.cairn.runtime.operator.OperatorDefinition;
import dev.cairn.runtime.operator.OperatorTable;
import dev.cairn.runtime.operator.TypeContext;
import dev.cairn.runtime.operator.ValueDependentShape;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the type of every entry of a graph, and the values that are the same for every run, in one sweep over the
 * nodes. Has no state that changes: one object serves all threads.
 *
 * <p>A value is known when it is a constant, when types alone fix it (the result of {@code Shape}), when it is a
 * known value under another shape, or when all that a node reads is known and the node is small: at most {@link
 * #MAX_VALUE_ELEMENTS} elements come out and at most {@link #MAX_READ_ELEMENTS} go in. Larger constant parts of a
 * graph are the business of constant folding.
 */
public final class TypeInference {
  /** A node whose results have more elements together is not computed. */
  public static final long MAX_VALUE_ELEMENTS = 1_024;
  /** A node that reads more elements is not computed. */
  public static final long MAX_READ_ELEMENTS = 1 << 20;

  /** The most bytes of one value: the address space of a process. Sums of such sizes fit a {@code long}. */
  static final long MAX_BYTES = 1L << 47;

  private final OperatorTable operators;
  private final ValueEvaluator evaluator;
  private final boolean unrolling;

  /** @param evaluator how small values are computed */
  public TypeInference(OperatorTable operators, ValueEvaluator evaluator) {
    this(operators, evaluator, true);
  }

  /** @param unrolling whether the types in a short loop may differ from trip to trip, for a pass that unrolls it */
  public TypeInference(OperatorTable operators, ValueEvaluator evaluator, boolean unrolling) {
    this.operators = operators;
    this.evaluator = evaluator;
    this.unrolling = unrolling;
  }

  /**
   * The types and values of all entries.
   *
   * @param inputs the type of each of the graph's inputs, by name; {@link InputBinding} makes them from shapes
   * @throws IllegalArgumentException when there is not one type for each input as the graph declares it
   * @throws InvalidGraph when a node breaks its operator's rules, or there is no such operator
   */
  public GraphTypes infer(Graph graph, Map<String, TensorType> inputs) {
    InputBinding.requireKnownNames(graph, inputs.keySet());
    var known = new KnownEntries();
    for (Node input : graph.inputs()) {
      known.put(input, List.of(given(input, inputs)));
    }
    sweep(graph, known);
    return known.asGraphTypes();
  }

  /** @param values of the parameters, where they are known */
  KnownEntries inferBody(Graph body, List<TensorType> parameters, List<Optional<TensorView>> values) {
    var known = new KnownEntries();
    for (int i = 0; i < body.inputs().size(); i++) {
      Node parameter = body.inputs().get(i);
      known.put(parameter, List.of(parameters.get(i)));
      values.get(i).ifPresent(value -> known.putValue(parameter.entry(), value));
    }
    sweep(body, known);
    return known;
  }

  /** The ranges of whole numbers that only a run knows. */
  ValueRanges ranges(KnownEntries known) {
    return new ValueRanges(operators, known);
  }

  boolean isUnrolling() {
    return unrolling;
  }

  private void sweep(Graph graph, KnownEntries known) {
    graph.nodes().forEach(node -> step(node, known));
  }

  /** Adds what is known of a node's results, once all that it reads is known. */
  void step(Node node, KnownEntries known) {
    switch (node.kind()) {
      case NodeKind.Input input -> {}
      case NodeKind.Parameter parameter -> {}
      case NodeKind.Constant(TensorView value) -> {
        known.put(node, List.of(value.type()));
        known.putValues(node, List.of(value));
      }
      case NodeKind.Deferred(ConstantSource.Computed source) -> known.put(node, List.of(source.type()));
      case NodeKind.Variable(TensorView initial) -> known.put(node, List.of(initial.type()));
      case NodeKind.Assign assign -> known.put(node, List.of(assigned(node, known)));
      case NodeKind.Apply apply -> new NodeInference(node, row(node, apply), known, evaluator).infer();
      case NodeKind.Control _ -> control(node, known);
      case NodeKind.Absent absent -> throw new AssertionError("an absent input has no place in the order: " + absent);
    }
  }

  /** The largest types that a node's results can have whatever values it reads; empty where no rule decides. */
  Optional<List<TensorType>> bound(Node node, KnownEntries known) {
    Optional<List<TensorType>> bound = switch (node.kind()) {
      case NodeKind.Apply apply -> operators.find(apply.operator()).flatMap(row -> bound(node, row, known));
      case NodeKind.Branch branch -> new BranchInference(node, branch, known, this).bound();
      case NodeKind.Repeat repeat -> new RepeatInference(node, repeat, known, this).bound();
      default -> Optional.<List<TensorType>>empty();
    };
    return bound.filter(types -> types.stream().noneMatch(TypeInference::isTooLarge));
  }

  /** The largest types by the operator's rule; empty where numbers have no limit, or one that the operator refuses. */
  private Optional<List<TensorType>> bound(Node node, OperatorDefinition row, KnownEntries known) {
    ValueRanges ranges = ranges(known);
    TypeContext context = new TypeContext(node, known::type, known::value).withRanges(input -> ranges.of(node.inputs()
      .get(input)), _ -> Optional.empty());
    try {
      return row.bounds().types(context);
    } catch (InvalidGraph | ArithmeticException | IllegalArgumentException | IndexOutOfBoundsException e) {
      return Optional.empty();
    }
  }

  /**
   * Infers a node with bodies. If a shape in a body depends on a value, another branch or number of trips may not need
   * that value.
   */
  private void control(Node node, KnownEntries known) {
    try {
      switch (node.kind()) {
        case NodeKind.Branch branch -> new BranchInference(node, branch, known, this).infer();
        case NodeKind.Repeat repeat -> new RepeatInference(node, repeat, known, this).infer();
        default -> throw new AssertionError("no control flow: node=" + node);
      }
    } catch (ValueDependentShape e) {
      throw e.inputs().isEmpty() ? e.decidedBy(DecidingInputs.ofControl(node, known::value)) : e;
    }
  }

  private static TensorType given(Node node, Map<String, TensorType> inputs) {
    TensorType type = inputs.get(node.name());
    if (type == null) {
      throw new IllegalArgumentException("no type is given for an input: input=%s declared=%s".formatted(node.name(),
        node.kind() instanceof NodeKind.Input(DeclaredType declared) ? declared : "?"));
    }
    if (node.kind() instanceof NodeKind.Input(DeclaredType declared)) {
      InputBinding.requireAdmitted(node.name(), declared, type);
    }
    if (isTooLarge(type)) {
      throw new InvalidGraph(node.name(), "an input exceeds the address space: type=" + type);
    }
    return type;
  }

  static boolean isTooLarge(TensorType type) {
    return type.shape().elementCount() > type.dtype().elements(MAX_BYTES);
  }

  private static TensorType assigned(Node assign, KnownEntries known) {
    TensorType variable = known.type(assign.inputs().get(0));
    TensorType value = known.type(assign.inputs().get(1));
    if (!value.equals(variable)) {
      throw new InvalidGraph(assign.name(),
        "a variable cannot change its type: variable=%s value=%s".formatted(variable, value));
    }
    return variable;
  }

  private OperatorDefinition row(Node node, NodeKind.Apply kind) {
    return operators.find(kind.operator()).or(() -> ContainerOperators.find(kind.operator()))
      .orElseThrow(() -> new InvalidGraph(node.name(), "no such operator: operator=" + kind.operator()));
  }
}
