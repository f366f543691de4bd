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
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What a type rule may look at: one node's attributes, and the types (and known values) of what it reads. */
public final class TypeContext {
  private final Node node;
  private final NodeKind.Apply kind;
  private final Function<NodeEntry, TensorType> types;
  private final Function<NodeEntry, Optional<TensorView>> values;

  /** @param known types of all entries that the node reads */
  public TypeContext(Node node, GraphTypes known) {
    this(node, known::type, known::value);
  }

  /**
   * For a sweep that is still under way.
   *
   * @param types asked only for entries that the node reads
   * @param values also asked for entries before these, where one is not known
   */
  public TypeContext(Node node, Function<NodeEntry, TensorType> types,
    Function<NodeEntry, Optional<TensorView>> values) {
    if (!(node.kind() instanceof NodeKind.Apply apply)) {
      throw new IllegalArgumentException("not a use of an operator: node=" + node.name());
    }
    this.node = node;
    this.kind = apply;
    this.types = types;
    this.values = values;
  }

  /**
   * The same node as if it were a use of another operator with one result, of its first inputs alone: what its own rule
   * may ask that operator's for.
   *
   * @param inputs at most so many; absent ones at the end are left out
   */
  public TypeContext of(String operator, Attributes attributes, int inputs) {
    int count = Math.min(inputs, node.inputs().size());
    while (count > 0 && node.inputs().get(count - 1).isAbsent()) {
      count--;
    }
    return new TypeContext(Node.apply(node.name(), operator, attributes, node.inputs().subList(0, count)), types,
      values);
  }

  /** The same node as if an input, which no other one equals, were of another shape. */
  public TypeContext withShape(int input, Shape shape) {
    NodeEntry changed = entry(input);
    return new TypeContext(node, it -> it.equals(changed) ? types.apply(it).withShape(shape) : types.apply(it), values);
  }

  public Attributes attributes() {
    return kind.attributes();
  }

  /** How many inputs are written at the node, absent ones included. */
  public int inputCount() {
    return node.inputs().size();
  }

  /** How many results the node has. */
  public int outputCount() {
    return kind.outputs();
  }

  public boolean has(int input) {
    return input < node.inputs().size() && !node.inputs().get(input).isAbsent();
  }

  public TensorType input(int index) {
    return types.apply(entry(index));
  }

  public Shape shape(int input) {
    return input(input).shape();
  }

  public DType dtype(int input) {
    return input(input).dtype();
  }

  /**
   * The value of an input that the result's shape depends on.
   *
   * @throws ValueDependentShape when it is only known at run time
   */
  public TensorView value(int input) {
    return knownValue(input).orElseThrow(() -> new ValueDependentShape(node.name(), described(
      "the result's shape depends on a value that is only known when the model runs: input=" + input),
      DecidingInputs.of(entry(input), values)));
  }

  /** The value of an input; empty when it is only known at run time. */
  public Optional<TensorView> knownValue(int input) {
    return values.apply(entry(input));
  }

  /** Shape arithmetic and kernels know nothing of nodes; here their errors learn which node they are about. */
  public <T> T faultsNamed(Supplier<T> step) {
    try {
      return step.get();
    } catch (ArithmeticException e) {
      throw fault("shape arithmetic failed: reason=" + e.getMessage(), e);
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw fault(String.valueOf(e.getMessage()), e);
    }
  }

  private InvalidGraph fault(String message, RuntimeException cause) {
    InvalidGraph fault = fault(message);
    fault.initCause(cause);
    return fault;
  }

  /**
   * An error that names this node, its operator and the types it reads: {@code Add(float32[2], bool[2]): message:
   * node=y}.
   */
  public InvalidGraph fault(String message) {
    return new InvalidGraph(node.name(), described(message));
  }

  private String described(String message) {
    return "%s%s: %s".formatted(kind.operator(), inputTypes(), message);
  }

  private String inputTypes() {
    return IntStream.range(0, inputCount()).mapToObj(i -> has(i) ? input(i).toString() : "_")
      .collect(Collectors.joining(", ", "(", ")"));
  }

  private NodeEntry entry(int input) {
    if (!has(input)) {
      throw fault("an input is missing: input=" + input);
    }
    return node.inputs().get(input);
  }
}
