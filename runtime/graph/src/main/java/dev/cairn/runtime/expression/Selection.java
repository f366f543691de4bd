package dev.cairn.runtime.expression;

import dev.cairn.kernels.tensor.Layout;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.SliceRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What indexes select of a dense tensor of some shape.
 *
 * @param ranges the positions selected of each axis
 * @param layout the result's shape, with strides into the tensor
 * @param offset of the result's first element in the tensor, in elements
 */
public record Selection(List<SliceRange> ranges, Layout layout, long offset) {
  public Selection {
    ranges = List.copyOf(ranges);
  }

  /**
   * Selects as NumPy does.
   *
   * @throws IllegalArgumentException when there are more indexes than axes, two ellipses, or a position outside its
   *   axis
   */
  public static Selection of(Shape shape, Index... indexes) {
    long consumed = Arrays.stream(indexes).filter(it -> it instanceof Index.At || it instanceof Index.Range).count();
    long ellipses = Arrays.stream(indexes).filter(it -> it instanceof Index.Ellipsis).count();
    if (consumed > shape.rank() || ellipses > 1) {
      throw new IllegalArgumentException("indexes do not fit: shape=%s axes=%d indexed=%d ellipses=%d".formatted(shape,
        shape.rank(), consumed, ellipses));
    }
    var made = new Maker(shape);
    int left = shape.rank() - (int) consumed;
    for (Index index : indexes) {
      switch (index) {
        case Index.At(long position) -> made.at(position);
        case Index.Range range -> made.range(range);
        case Index.NewAxis newAxis -> made.keep(1, 0);
        case Index.Ellipsis ellipsis -> {
          made.whole(left);
          left = 0;
        }
      }
    }
    made.whole(left);
    return made.selection();
  }

  /** The shape of what is selected. */
  public Shape shape() {
    return layout.shape();
  }

  /** Whether the selected elements lie one behind another, in order. */
  public boolean isContiguous() {
    if (shape().elementCount() <= 1) {
      return true;
    }
    Layout dense = Layout.rowMajor(shape());
    for (int axis = 0; axis < shape().rank(); axis++) {
      if (shape().extent(axis) > 1 && layout.stride(axis) != dense.stride(axis)) {
        return false;
      }
    }
    return true;
  }

  /** Goes through the axes of a shape. */
  private static final class Maker {
    private final Shape shape;
    private final Layout dense;
    private final List<SliceRange> ranges = new ArrayList<>();
    private final List<Long> extents = new ArrayList<>();
    private final List<Long> strides = new ArrayList<>();
    private long offset;

    Maker(Shape shape) {
      this.shape = shape;
      this.dense = Layout.rowMajor(shape);
    }

    void at(long position) {
      int axis = ranges.size();
      long extent = shape.extent(axis);
      if (position < -extent || position >= extent) {
        throw new IllegalArgumentException("a position outside its axis: shape=%s axis=%d position=%d".formatted(shape,
          axis, position));
      }
      long start = position < 0 ? position + extent : position;
      offset += start * dense.stride(axis);
      ranges.add(new SliceRange(start, 1, 1));
    }

    void range(Index.Range range) {
      int axis = ranges.size();
      SliceRange taken = clamped(range, shape.extent(axis));
      if (taken.count() > 0) {
        offset += taken.start() * dense.stride(axis);
      }
      ranges.add(taken);
      // A step longer than the axis selects a single element.
      keep(taken.count(), taken.count() > 1 ? dense.stride(axis) * taken.step() : dense.stride(axis));
    }

    void whole(int axes) {
      for (int i = 0; i < axes; i++) {
        range(new Index.Range(null, null, 1));
      }
    }

    void keep(long extent, long stride) {
      extents.add(extent);
      strides.add(stride);
    }

    Selection selection() {
      Shape result = Shape.of(extents.stream().mapToLong(Long::longValue).toArray());
      return new Selection(ranges, Layout.strided(result, strides.stream().mapToLong(Long::longValue).toArray()),
        result.elementCount() == 0 ? 0 : offset);
    }
  }

  /** The range of a slice, by Python's rule. */
  private static SliceRange clamped(Index.Range range, long extent) {
    long step = range.step();
    long lowest = step > 0 ? 0 : -1;
    long highest = step > 0 ? extent : extent - 1;
    long from = bound(range.from(), step > 0 ? lowest : highest, extent, lowest, highest);
    long to = bound(range.to(), step > 0 ? highest : lowest, extent, lowest, highest);
    boolean any = step > 0 ? from < to : from > to;
    return any ? new SliceRange(from, step, Math.ceilDiv(to - from, step)) : new SliceRange(0, 1, 0);
  }

  private static long bound(@Nullable Long given, long absent, long extent, long lowest, long highest) {
    if (given == null) {
      return absent;
    }
    return Math.clamp(given < 0 ? given + extent : given, lowest, highest);
  }
}
