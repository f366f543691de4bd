package dev.cairn.runtime.infer;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.operator.OperatorTable;
import dev.cairn.runtime.operator.RangeRule;
import dev.cairn.runtime.operator.TypeContext;
import dev.cairn.runtime.operator.ValueRange;
import java.util.Arrays;
import java.util.Optional;

/**
 * Bounds of whole numbers that only a run knows, as far as shapes depend on them: a comparison gives 0 or 1, a sum of
 * comparisons at most their count, {@code ArgMax} a place on its axis, {@code Min} no more than either operand.
 */
final class ValueRanges {
  /** The longest chain of nodes whose range is computed. */
  private static final int MOST_NODES = 32;

  private final OperatorTable operators;
  private final KnownEntries known;

  ValueRanges(OperatorTable operators, KnownEntries known) {
    this.operators = operators;
    this.known = known;
  }

  /** The range of a scalar or a list that the sweep has passed; empty where nothing is known. */
  Optional<ValueRange> of(NodeEntry entry) {
    return list(entry, MOST_NODES);
  }

  private Optional<ValueRange> list(NodeEntry entry, int left) {
    if (entry.isAbsent() || left == 0) {
      return Optional.empty();
    }
    TensorType type = known.type(entry);
    long count = type.shape().elementCount();
    if (!isWhole(type.dtype()) || type.shape().rank() > 1 || count == 0 || count > ValueRange.MOST_ELEMENTS) {
      return Optional.empty();
    }
    Optional<TensorView> value = known.value(entry);
    if (value.isPresent()) {
      return Optional.of(ValueRange.exactly(value.get().toLongArray()));
    }
    Optional<ValueRange> computed = computed(entry, (int) count, left - 1);
    return computed.filter(it -> it.least().length == count && fits(it, type.dtype())).or(() -> ofType(type.dtype(),
      count));
  }

  private static boolean isWhole(DType dtype) {
    return (dtype.isInteger() || dtype == DType.BOOL) && dtype != DType.UINT64;
  }

  /** The range of a type of few bits. */
  private static Optional<ValueRange> ofType(DType dtype, long count) {
    return dtype.bits() > Short.SIZE ? Optional.empty() : Optional.of(ValueRange.of(count, least(dtype), most(dtype)));
  }

  private static long least(DType dtype) {
    return dtype == DType.BOOL || dtype.isUnsigned() ? 0 : -1L << (dtype.bits() - 1);
  }

  private static long most(DType dtype) {
    return dtype == DType.BOOL ? 1 : dtype.isUnsigned() ? (1L << dtype.bits()) - 1 : -1 - least(dtype);
  }

  /** Whether all numbers of a range fit the type. Others would wrap. */
  private static boolean fits(ValueRange range, DType dtype) {
    return Arrays.stream(range.least()).allMatch(it -> it >= least(dtype)) && Arrays.stream(range.most()).allMatch(
      it -> it <= most(dtype));
  }

  private Optional<ValueRange> computed(NodeEntry entry, int count, int left) {
    return entry.node().kind() instanceof NodeKind.Apply apply
      ? rule(apply).list(use(entry.node(), left), count)
      : Optional.empty();
  }

  private RangeRule rule(NodeKind.Apply apply) {
    return operators.facts(apply.operator()).range();
  }

  private TypeContext use(Node node, int left) {
    return new TypeContext(node, known::type, known::value).withRanges(input -> list(node.inputs().get(input), left),
      input -> uniform(node.inputs().get(input), left));
  }

  /** The range of each element of a tensor of any shape. */
  private Optional<ValueRange> uniform(NodeEntry entry, int left) {
    if (entry.isAbsent() || left == 0 || !isWhole(known.type(entry).dtype())) {
      return Optional.empty();
    }
    Optional<ValueRange> found = list(entry, left - 1).flatMap(it -> it.any(1)).or(() -> uniformConstant(entry));
    return found.or(() -> entry.node().kind() instanceof NodeKind.Apply apply
      ? rule(apply).uniform(use(entry.node(), left - 1)).filter(it -> fits(it, known.type(entry).dtype()))
      : Optional.empty()).or(() -> ofType(known.type(entry).dtype(), 1));
  }

  /** The range of a larger constant, such as a table from which a run gathers. */
  private Optional<ValueRange> uniformConstant(NodeEntry entry) {
    return known.value(entry).filter(it -> it.elementCount() > 0 && it
      .elementCount() <= TypeInference.MAX_READ_ELEMENTS).flatMap(it -> ValueRange.exactly(it.toLongArray()).any(1));
  }
}
