package dev.cairn.runtime.operator;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The view of a type rule: the attributes of one use of an operator, and the types (and known values) of its
 * operands. The use may be a graph's node or an imperative call.
 */
public final class TypeContext {
  private final String name;
  private final NodeKind.Apply kind;
  private final List<Optional<TensorType>> types;
  private final IntFunction<Optional<TensorView>> values;
  private final IntFunction<Optional<ValueRange>> ranges;
  private final IntFunction<Optional<ValueRange>> uniformRanges;
  private Optional<TensorView> found = Optional.empty();

  /**
   * The context of any use of an operator.
   *
   * @param name names the use in errors: the node, or the operator of an imperative call
   * @param types one for each operand; empty for an omitted one
   * @param values gives the value of an operand by index, if it is known; asked for present operands only
   */
  public TypeContext(String name, NodeKind.Apply kind, List<Optional<TensorType>> types,
    IntFunction<Optional<TensorView>> values) {
    this(name, kind, types, values, _ -> Optional.empty(), _ -> Optional.empty());
  }

  private TypeContext(String name, NodeKind.Apply kind, List<Optional<TensorType>> types,
    IntFunction<Optional<TensorView>> values, IntFunction<Optional<ValueRange>> ranges,
    IntFunction<Optional<ValueRange>> uniformRanges) {
    this.name = name;
    this.kind = kind;
    this.types = types;
    this.values = values;
    this.ranges = ranges;
    this.uniformRanges = uniformRanges;
  }

  /** @param known types of all entries that the node reads */
  public TypeContext(Node node, GraphTypes known) {
    this(node, known::type, known::value);
  }

  /**
   * The context of a graph's node.
   *
   * @param types asked only for entries that the node reads
   * @param values also asked for entries before these, where one is not known
   */
  public TypeContext(Node node, Function<NodeEntry, TensorType> types,
    Function<NodeEntry, Optional<TensorView>> values) {
    this(node.name(), apply(node), types(node, types), input -> values.apply(node.inputs().get(input)));
  }

  private static List<Optional<TensorType>> types(Node node, Function<NodeEntry, TensorType> known) {
    List<Optional<TensorType>> types = new ArrayList<>(node.inputs().size());
    for (NodeEntry input : node.inputs()) {
      types.add(input.isAbsent() ? Optional.empty() : Optional.of(known.apply(input)));
    }
    return types;
  }

  private static NodeKind.Apply apply(Node node) {
    if (!(node.kind() instanceof NodeKind.Apply apply)) {
      throw new IllegalArgumentException("not a use of an operator: node=" + node.name());
    }
    return apply;
  }

  /**
   * The same use as if it were one of another operator, with one result and only the first operands. A rule can so ask
   * for the type that the other operator gives.
   *
   * @param inputs at most so many; absent ones at the end are left out
   */
  public TypeContext of(String operator, Attributes attributes, int inputs) {
    int count = Math.min(inputs, types.size());
    while (count > 0 && !has(count - 1)) {
      count--;
    }
    return new TypeContext(name, new NodeKind.Apply(operator, attributes, 1), types.subList(0, count), values);
  }

  /** The same use as if an operand were of another shape. */
  public TypeContext withShape(int input, Shape shape) {
    return withType(input, input(input).withShape(shape));
  }

  /** The same use as if an operand were of another type. */
  public TypeContext withType(int input, TensorType type) {
    List<Optional<TensorType>> changed = new ArrayList<>(types);
    changed.set(input, Optional.of(type));
    return new TypeContext(name, kind, List.copyOf(changed), values);
  }

  /**
   * The same use, with bounds of operands whose values only a run knows.
   *
   * @param known of a scalar or list of whole numbers, element by element
   * @param uniform of a tensor of any shape, one range for all elements
   */
  public TypeContext withRanges(IntFunction<Optional<ValueRange>> known, IntFunction<Optional<ValueRange>> uniform) {
    return new TypeContext(name, kind, types, values, known, uniform);
  }

  /** The bounds of each element of an operand that is a scalar or list of whole numbers; empty if unknown. */
  public Optional<ValueRange> range(int input) {
    return has(input) ? ranges.apply(input) : Optional.empty();
  }

  /** The bounds that all elements of an operand of whole numbers share; empty if unknown. */
  public Optional<ValueRange> uniformRange(int input) {
    return has(input) ? uniformRanges.apply(input) : Optional.empty();
  }

  /** The same use as if lists that only a run knows had their largest elements. */
  TypeContext atMost() {
    return new TypeContext(name, kind, types, input -> values.apply(input).or(() -> range(input).filter(
      _ -> dtype(input) == DType.INT64).map(it -> TensorView.ofLongs(it.most()).reshaped(shape(input)))));
  }

  /** Keeps the first result's value, which a type rule has computed for its type. */
  public void keepFound(TensorView value) {
    found = Optional.of(value);
  }

  /** The value that the type rule has computed; a {@link ValueRule}. */
  public Optional<TensorView> found() {
    return found;
  }

  public Attributes attributes() {
    return kind.attributes();
  }

  /** How many operands are given, omitted ones included. */
  public int inputCount() {
    return types.size();
  }

  /** How many results this use has. */
  public int outputCount() {
    return kind.outputs();
  }

  public boolean has(int input) {
    return input < types.size() && types.get(input).isPresent();
  }

  public TensorType input(int index) {
    return (index < types.size() ? types.get(index) : Optional.<TensorType>empty()).orElseThrow(() -> missing(index));
  }

  public Shape shape(int input) {
    return input(input).shape();
  }

  public DType dtype(int input) {
    return input(input).dtype();
  }

  /**
   * Refuses an input of another shape. An input that is left out passes.
   *
   * @param message what is wrong; the shapes come behind it
   */
  public void requireShape(int input, Shape wanted, String message) {
    if (has(input) && !shape(input).equals(wanted)) {
      throw fault("%s: input=%d shape=%s wanted=%s".formatted(message, input, shape(input), wanted));
    }
  }

  /** The types of the results that this use has, the first ones of all results that the operator can give. */
  public List<TensorType> first(TensorType... all) {
    return List.of(all).subList(0, Math.min(outputCount(), all.length));
  }

  /**
   * The value of an input that the result's shape depends on.
   *
   * @throws ValueDependentShape when it is only known at run time
   */
  public TensorView value(int input) {
    return knownValue(input).orElseThrow(() -> new ValueDependentShape(name, input, described(
      "the result's shape depends on a value that is only known when the model runs: input=" + input)));
  }

  /** Says that this use cannot be part of a plan, whatever its values. */
  ValueDependentShape outsidePlans(String reason) {
    return new ValueDependentShape(name, 0, "%s: operator=%s".formatted(reason, kind.operator()));
  }

  /** The value of an input; empty when it is only known at run time. */
  public Optional<TensorView> knownValue(int input) {
    if (!has(input)) {
      throw missing(input);
    }
    return values.apply(input);
  }

  /**
   * An error of shape arithmetic or of a kernel, which know nothing of nodes, with the name of this use.
   *
   * @param cause an {@link ArithmeticException}, {@link IllegalArgumentException} or {@link IndexOutOfBoundsException}
   */
  public InvalidGraph fault(RuntimeException cause) {
    InvalidGraph fault = fault(cause instanceof ArithmeticException
      ? "shape arithmetic failed: reason=" + cause.getMessage()
      : String.valueOf(cause.getMessage()));
    fault.initCause(cause);
    return fault;
  }

  /**
   * An error that names this use, its operator and the types it reads: {@code Add(float32[2], bool[2]): message:
   * node=y}.
   */
  public InvalidGraph fault(String message) {
    return new InvalidGraph(name, described(message));
  }

  private String described(String message) {
    return IntStream.range(0, inputCount()).mapToObj(i -> has(i) ? input(i).toString() : "_")
      .collect(Collectors.joining(", ", kind.operator() + "(", "): " + message));
  }

  private InvalidGraph missing(int input) {
    return fault("an input is missing: input=" + input);
  }
}
