package dev.cairn.runtime.operator.family;

import dev.cairn.runtime.operator.TypeContext;

/** Axes as ONNX writes them: a negative axis counts from the last, so that -1 is the innermost. */
final class Axes {
  private Axes() {}

  /** The axis as an index in {@code [0, rank)}. */
  static int index(TypeContext context, long axis, int rank) {
    if (axis < -rank || axis >= rank) {
      throw context.fault("no such axis: axis=%d rank=%d".formatted(axis, rank));
    }
    return (int) (axis < 0 ? axis + rank : axis);
  }

  /** For each axis of a tensor of that rank, whether it is among these. No axis may be named twice. */
  static boolean[] marked(TypeContext context, long[] axes, int rank) {
    boolean[] marked = new boolean[rank];
    for (long axis : axes) {
      int index = index(context, axis, rank);
      if (marked[index]) {
        throw context.fault("duplicate axis: axis=" + axis);
      }
      marked[index] = true;
    }
    return marked;
  }

  /** The axes that an input names one by one, or the first {@code count} axes if that optional input is left out. */
  static int[] each(TypeContext context, int input, int count, int rank) {
    long[] axes = new long[count];
    for (int i = 0; i < count; i++) {
      axes[i] = i;
    }
    if (context.has(input)) {
      axes = AdmittedTypes.INDEXES.list(context, input);
      if (axes.length != count) {
        throw context.fault("the numbers of axes and values differ: axes=%d values=%d".formatted(axes.length, count));
      }
    }
    marked(context, axes, rank);
    int[] indexes = new int[count];
    for (int i = 0; i < count; i++) {
      indexes[i] = index(context, axes[i], rank);
    }
    return indexes;
  }
}
