package dev.cairn.runtime.operator.partial;

import static dev.cairn.runtime.graph.PartialType.OPEN;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.PartialType;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;

/** One use of an operator, as its rule of types in part sees it: what is known, and a way to add facts. */
public final class PartialCall {
  private final Node node;
  private final Attributes attributes;
  private final Facts facts;

  /** The facts that an inference knows so far. */
  public interface Facts {
    PartialType type(NodeEntry entry);

    Optional<TensorView> value(NodeEntry entry);

    /** @param teller the node whose rule says so */
    void meet(Node teller, NodeEntry entry, PartialType fact);
  }

  public PartialCall(Node node, Attributes attributes, Facts facts) {
    this.node = node;
    this.attributes = attributes;
    this.facts = facts;
  }

  String operator() {
    return node.operator();
  }

  Attributes attributes() {
    return attributes;
  }

  int operands() {
    return node.inputs().size();
  }

  int results() {
    return node.kind().outputs();
  }

  boolean has(int operand) {
    return operand < operands() && !node.inputs().get(operand).isAbsent();
  }

  /** The known type of an operand; nothing of an omitted one. */
  PartialType operand(int index) {
    return has(index) ? facts.type(node.inputs().get(index)) : PartialType.UNKNOWN;
  }

  PartialType result(int index) {
    return facts.type(node.entry(index));
  }

  /** The value of an operand, if it is known. */
  Optional<TensorView> value(int operand) {
    return has(operand) ? facts.value(node.inputs().get(operand)) : Optional.empty();
  }

  /** The whole numbers of an operand, if they are known. */
  Optional<long[]> longs(int operand) {
    return value(operand).map(TensorView::toLongArray);
  }

  void tellOperand(int index, PartialType fact) {
    if (has(index)) {
      facts.meet(node, node.inputs().get(index), fact);
    }
  }

  void tellResult(int index, PartialType fact) {
    if (index < results()) {
      facts.meet(node, node.entry(index), fact);
    }
  }

  void tellShape(int operand, long... extents) {
    tellOperand(operand, PartialType.ofShape(extents));
  }

  void tellResultShape(int result, long... extents) {
    tellResult(result, PartialType.ofShape(extents));
  }

  /** Operand and result have one type. */
  void same(int operand, int result) {
    tellResult(result, operand(operand));
    tellOperand(operand, result(result));
  }

  /** Operand and result have one shape. */
  void sameShape(int operand, int result) {
    tellResult(result, operand(operand).withoutDType());
    tellOperand(operand, result(result).withoutDType());
  }

  /** Some operands and the first result have one element type. */
  void sameElement(int... operands) {
    Optional<DType> known = result(0).dtype();
    for (int operand : operands) {
      known = known.or(() -> operand(operand).dtype());
    }
    if (known.isPresent()) {
      PartialType fact = PartialType.of(known.get());
      tellResult(0, fact);
      Arrays.stream(operands).forEach(it -> tellOperand(it, fact));
    }
  }

  /** All operands and the first result have one element type. */
  void sameElementOfAll() {
    sameElement(IntStream.range(0, operands()).toArray());
  }

  /** A new list of open extents. */
  static long[] open(int rank) {
    long[] extents = new long[rank];
    Arrays.fill(extents, OPEN);
    return extents;
  }

  static long[] extents(PartialType type) {
    return type.extents().orElseThrow().stream().mapToLong(Long::longValue).toArray();
  }

  /** The axis that an attribute names, counted from the front. */
  int axis(long axis, int rank) {
    if (axis < -rank || axis >= rank) {
      throw fault("an axis outside the rank: axis=%d rank=%d".formatted(axis, rank));
    }
    return (int) (axis < 0 ? axis + rank : axis);
  }

  InvalidGraph fault(String message) {
    StringBuilder all = new StringBuilder(message);
    for (NodeEntry input : node.inputs()) {
      all.append(input.isAbsent() ? "" : " %s=%s".formatted(input, facts.type(input)));
    }
    return new InvalidGraph(node.name(), all.toString());
  }
}
