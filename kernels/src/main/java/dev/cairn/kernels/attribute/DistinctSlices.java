package dev.cairn.kernels.attribute;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.OrderKeys;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.StringElements;
import dev.cairn.kernels.tensor.TensorView;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;

/**
 * The distinct slices of a tensor along an axis, or its distinct elements, for {@code Unique}. Slices compare element
 * by element in row-major order; a NaN equals itself and is greater than every number.
 */
public final class DistinctSlices {
  private final int[] first;
  private final int[] inverse;
  private final int[] counts;

  private DistinctSlices(int[] first, int[] inverse, int[] counts) {
    this.first = first;
    this.inverse = inverse;
    this.counts = counts;
  }

  /**
   * For each distinct slice, where it occurs first: in the order of the slices, or of their first occurrence if
   * {@code sorted} is 0.
   */
  public int[] first() {
    return first.clone();
  }

  /** For each slice, which distinct slice it equals. */
  public int[] inverse() {
    return inverse.clone();
  }

  /** For each distinct slice, how often it occurs. */
  public int[] counts() {
    return counts.clone();
  }

  /** Reads attributes {@code axis} (without it, elements are compared) and {@code sorted}. */
  public static DistinctSlices of(Attributes attributes, TensorView x) {
    long[][] slices = keys(attributes, x);
    Comparator<Integer> order = Comparator.comparing(slice -> slices[slice], Arrays::compare);
    int[] sorted = IntStream.range(0, slices.length).boxed().sorted(order).mapToInt(Integer::intValue).toArray();
    int[] inverse = new int[slices.length];
    int[] first = new int[slices.length];
    int[] counts = new int[slices.length];
    int distinct = 0;
    for (int i = 0; i < sorted.length; i++) {
      if (i == 0 || !Arrays.equals(slices[sorted[i]], slices[sorted[i - 1]])) {
        // Sorting keeps equal slices in their order.
        first[distinct++] = sorted[i];
      }
      inverse[sorted[i]] = distinct - 1;
      counts[distinct - 1]++;
    }
    var found = new DistinctSlices(Arrays.copyOf(first, distinct), inverse, Arrays.copyOf(counts, distinct));
    return attributes.getFlag("sorted", true) ? found : found.byOccurrence();
  }

  private static long[][] keys(Attributes attributes, TensorView x) {
    AxisForm form = AxisForm.ofParts(attributes);
    Shape shape = form.isGiven() ? x.shape() : Shape.of(x.elementCount());
    int axis = form.of(shape);
    int count = Math.toIntExact(shape.extent(axis));
    int outer = Math.toIntExact(shape.elementCount(0, axis));
    int inner = Math.toIntExact(shape.elementCount(axis + 1, shape.rank()));
    long[][] keys = new long[count][Math.multiplyExact(outer, inner)];
    LongUnaryOperator key = x.dtype() == DType.STRING ? ranks(x) : i -> OrderKeys.of(x, i);
    for (int slice = 0; slice < count; slice++) {
      for (int i = 0; i < keys[slice].length; i++) {
        keys[slice][i] = key.applyAsLong((i / inner * (long) count + slice) * inner + i % inner);
      }
    }
    return keys;
  }

  /** Equal strings have equal keys. */
  private static LongUnaryOperator ranks(TensorView x) {
    String[] strings = StringElements.toArray(x);
    List<String> sorted = Arrays.stream(strings).distinct().sorted().toList();
    return i -> Collections.binarySearch(sorted, strings[(int) i]);
  }

  private DistinctSlices byOccurrence() {
    int[] order = IntStream.range(0, first.length).boxed().sorted(Comparator.comparingInt(i -> first[i]))
      .mapToInt(Integer::intValue).toArray();
    int[] place = new int[order.length];
    for (int i = 0; i < order.length; i++) {
      place[order[i]] = i;
    }
    return new DistinctSlices(Arrays.stream(order).map(i -> first[i]).toArray(), Arrays.stream(inverse).map(
      i -> place[i]).toArray(), Arrays.stream(order).map(i -> counts[i]).toArray());
  }
}
