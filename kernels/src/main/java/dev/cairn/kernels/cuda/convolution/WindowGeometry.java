package dev.cairn.kernels.cuda.convolution;

import dev.cairn.kernels.attribute.SlidingWindow;
import dev.cairn.kernels.cuda.kernel.Structures;
import dev.cairn.kernels.tensor.Shape;

/** Sliding windows as {@code struct Window} of {@code window.cuh}. Stateless. */
public final class WindowGeometry {
  /** The limit in {@code window.cuh}. */
  public static final int MOST_SPATIAL = 3;
  private static final int FIELDS = 7;

  private WindowGeometry() {}

  /** The bytes of the structure. Missing axes come first, with one input, one tap and one result. */
  public static byte[] bytes(SlidingWindow window, Shape input) {
    int absent = MOST_SPATIAL - window.rank();
    long[] all = new long[FIELDS * MOST_SPATIAL];
    for (int field = 0; field < FIELDS; field++) {
      for (int i = 0; i < MOST_SPATIAL; i++) {
        int axis = i - absent;
        all[field * MOST_SPATIAL + i] = axis < 0 ? (field == 4 || field == 5 ? 0 : 1) : switch (field) {
          case 0 -> input.extent(axis + 2);
          case 1 -> window.outputExtent(axis);
          case 2 -> window.kernel(axis);
          case 3 -> window.stride(axis);
          case 4 -> window.padBegin(axis);
          case 5 -> window.padEnd(axis);
          default -> window.dilation(axis);
        };
      }
    }
    return Structures.ofLongs(all);
  }
}
