package dev.cairn.runtime.expression;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** One index between brackets, as in NumPy's basic indexing. */
public sealed interface Index {
  /** One position of an axis, which is dropped; negative positions count from the end. */
  record At(long position) implements Index {}

  /**
   * Every so-many-th position of an axis. Bounds outside the axis are clamped to it.
   *
   * @param from the first position; null for the axis's first, or last if the step is negative
   * @param to the position before which the range ends; null for the axis's other end
   * @param step not 0; negative to go backwards
   */
  record Range(@Nullable Long from, @Nullable Long to, long step) implements Index {
    public Range {
      if (step == 0) {
        throw new IllegalArgumentException("the step of a range must not be 0");
      }
    }
  }

  /** All remaining axes, whole: {@code ...}. */
  record Ellipsis() implements Index {}

  /** A new axis of extent 1. */
  record NewAxis() implements Index {}

  static Index at(long position) {
    return new At(position);
  }

  /** The range from a position to before another. */
  static Index range(long from, long to) {
    return new Range(from, to, 1);
  }

  static Index range(long from, long to, long step) {
    return new Range(from, to, step);
  }

  /** The whole axis. */
  static Index all() {
    return new Range(null, null, 1);
  }

  static Index ellipsis() {
    return new Ellipsis();
  }

  static Index newAxis() {
    return new NewAxis();
  }

  /**
   * Reads what NumPy has in brackets: {@code 0, 1:-1, ::2, ..., newaxis}.
   *
   * @throws IllegalArgumentException when the text is not of this form; names the place
   */
  static Index[] parse(String text) {
    List<Index> all = IndexText.parse(text);
    return all.toArray(new Index[0]);
  }
}
