package dev.cairn.benchmarks.breadth;

import java.util.Locale;
import java.util.SplittableRandom;

/** About how many elements the first operand of a case has. */
enum Size {
  /** To see whether an engine accepts a form. */
  TINY(1 << 7),
  SMALL(1 << 11),
  TYPICAL(1 << 17),
  LARGE(1 << 22);

  private final long elements;

  Size(long elements) {
    this.elements = elements;
  }

  /** A shape of so many axes that are about equally long; all extents are even. */
  long[] balanced(int rank, SplittableRandom random) {
    double side = Math.pow((double) elements, 1.0 / rank);
    long[] shape = new long[rank];
    for (int axis = 0; axis < rank; axis++) {
      shape[axis] = even(side * random.nextDouble(0.8, 1.25));
    }
    return shape;
  }

  /** The shape of images: 2, channels (a multiple of 8), rows and columns (even). */
  long[] images(SplittableRandom random) {
    long channels = 8 * Math.max(1, Math.round(Math.pow((double) elements, 1.0 / 3) / 16));
    double side = Math.sqrt(elements / 2.0 / channels);
    return new long[] {2, channels, even(side * random.nextDouble(0.8, 1)), even(side * random.nextDouble(1, 1.25))};
  }

  private static long even(double extent) {
    return Math.max(2, 2 * Math.round(extent / 2));
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
