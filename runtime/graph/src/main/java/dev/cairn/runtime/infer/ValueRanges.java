package dev.cairn.runtime.infer;

import dev.cairn.kernels.attribute.ArgumentForm;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.operator.ValueRange;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.LongStream;

/**
 * Between which numbers whole numbers lie that only a run knows, as far as shapes depend on them: a comparison gives 0
 * or 1, a sum of such at most their count, {@code ArgMax} a place on its axis, {@code Min} no more than either operand.
 */
final class ValueRanges {
  /** Longer chains of nodes have no range. */
  private static final int MOST_NODES = 32;

  private final KnownEntries known;

  ValueRanges(KnownEntries known) {
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

  /** What a type of few bits holds. */
  private static Optional<ValueRange> ofType(DType dtype, long count) {
    return dtype.bits() > Short.SIZE ? Optional.empty() : Optional.of(ValueRange.of(count, least(dtype), most(dtype)));
  }

  private static long least(DType dtype) {
    return dtype == DType.BOOL || dtype.isUnsigned() ? 0 : -1L << (dtype.bits() - 1);
  }

  private static long most(DType dtype) {
    return dtype == DType.BOOL ? 1 : dtype.isUnsigned() ? (1L << dtype.bits()) - 1 : -1 - least(dtype);
  }

  /** Numbers beyond the type wrap. */
  private static boolean fits(ValueRange range, DType dtype) {
    return Arrays.stream(range.least()).allMatch(it -> it >= least(dtype)) && Arrays.stream(range.most()).allMatch(
      it -> it <= most(dtype));
  }

  private Optional<ValueRange> computed(NodeEntry entry, int count, int left) {
    Node node = entry.node();
    if (!(node.kind() instanceof NodeKind.Apply apply)) {
      return Optional.empty();
    }
    List<NodeEntry> inputs = node.inputs();
    return switch (apply.operator()) {
      case "Identity", "Reshape", "Squeeze", "Unsqueeze", "Flatten", "Cast" -> isWhole(known.type(inputs.get(0))
        .dtype())
          ? uniformOrList(inputs.get(0), count, left)
          : Optional.empty();
      case "Add" -> ofTwo(inputs, left, ValueRange::plus);
      case "Sub" -> ofTwo(inputs, left, ValueRange::minus);
      case "Mul" -> ofTwo(inputs, left, ValueRange::times);
      case "Div" -> ofTwo(inputs, left, ValueRange::over);
      case "Min" -> ofAll(inputs, count, left, ValueRange::min);
      case "Max" -> ofAll(inputs, count, left, ValueRange::max);
      case "Clip" -> ofAll(inputs.subList(0, Math.min(2, inputs.size())), count, left, ValueRange::max).flatMap(
        it -> inputs.size() < 3 || inputs.get(2).isAbsent()
          ? Optional.of(it)
          : it.min(list(inputs.get(2), left).orElse(ValueRange.ANY)));
      case "Where" -> ofTwo(inputs.subList(1, 3), left, ValueRange::or).flatMap(it -> it.any(count));
      case "Concat" -> joined(inputs, left);
      case "Gather", "ReduceMax", "ReduceMin" -> uniform(inputs.get(0), left).flatMap(it -> it.any(count));
      case "ReduceSum" -> sum(node, count, left);
      case "ArgMax", "ArgMin" -> uniform(entry, left).flatMap(it -> it.any(count));
      default -> Optional.empty();
    };
  }

  private Optional<ValueRange> uniformOrList(NodeEntry entry, int count, int left) {
    return list(entry, left).or(() -> uniform(entry, left).flatMap(it -> it.any(count)));
  }

  private Optional<ValueRange> ofTwo(List<NodeEntry> inputs, int left,
    BiFunction<ValueRange, ValueRange, Optional<ValueRange>> range) {
    return list(inputs.get(0), left).flatMap(a -> list(inputs.get(1), left).flatMap(b -> range.apply(a, b)));
  }

  /** Operands without a range may be anything, and others limit the result all the same. */
  private Optional<ValueRange> ofAll(List<NodeEntry> inputs, int count, int left,
    BiFunction<ValueRange, ValueRange, Optional<ValueRange>> range) {
    Optional<ValueRange> result = ValueRange.ANY.any(count);
    boolean isFirst = true;
    for (NodeEntry input : inputs) {
      if (!input.isAbsent()) {
        ValueRange next = list(input, left).orElse(ValueRange.ANY);
        result = isFirst ? result.flatMap(it -> next.and(it)) : result.flatMap(it -> range.apply(it, next));
        isFirst = false;
      }
    }
    return result;
  }

  private Optional<ValueRange> joined(List<NodeEntry> inputs, int left) {
    LongStream.Builder least = LongStream.builder();
    LongStream.Builder most = LongStream.builder();
    for (NodeEntry input : inputs) {
      long count = known.type(input).shape().elementCount();
      Optional<ValueRange> part = count == 0 ? Optional.of(ValueRange.exactly()) : list(input, left);
      if (part.isEmpty()) {
        return Optional.empty();
      }
      Arrays.stream(part.get().least()).forEach(least);
      Arrays.stream(part.get().most()).forEach(most);
    }
    return Optional.of(new ValueRange(least.build().toArray(), most.build().toArray()));
  }

  private Optional<ValueRange> sum(Node node, int count, int left) {
    NodeEntry data = node.inputs().get(0);
    long summed = known.type(data).shape().elementCount() / Math.max(1, count);
    return uniform(data, left).flatMap(it -> it.times(ValueRange.exactly(summed))).flatMap(it -> it.any(count));
  }

  /** The range of each element of a tensor of any shape. */
  private Optional<ValueRange> uniform(NodeEntry entry, int left) {
    if (entry.isAbsent() || left == 0 || !isWhole(known.type(entry).dtype())) {
      return Optional.empty();
    }
    Optional<ValueRange> found = list(entry, left - 1).flatMap(it -> it.any(1)).or(() -> uniformConstant(entry));
    return found.or(() -> entry.node().kind() instanceof NodeKind.Apply apply ? switch (apply.operator()) {
      case "Cast", "Reshape", "Transpose", "Unsqueeze", "Squeeze" -> uniform(entry.node().inputs().get(0), left - 1)
        .filter(it -> fits(it, known.type(entry).dtype()));
      case "ArgMax", "ArgMin" -> places(entry.node());
      default -> Optional.<ValueRange>empty();
    } : Optional.empty()).or(() -> ofType(known.type(entry).dtype(), 1));
  }

  /** Of a larger constant, such as a table from which a run gathers. */
  private Optional<ValueRange> uniformConstant(NodeEntry entry) {
    return known.value(entry).filter(it -> it.elementCount() > 0 && it
      .elementCount() <= TypeInference.MAX_READ_ELEMENTS).flatMap(it -> ValueRange.exactly(it.toLongArray()).any(1));
  }

  /** Places on the axis of an {@code ArgMax}. */
  private Optional<ValueRange> places(Node node) {
    Shape data = known.type(node.inputs().get(0)).shape();
    long axis = ArgumentForm.of(node.kind().attributes()).axis();
    long extent = data.rank() == 0 ? 1 : data.extent((int) axis);
    return extent == 0 ? Optional.empty() : Optional.of(ValueRange.of(1, 0, extent - 1));
  }
}
