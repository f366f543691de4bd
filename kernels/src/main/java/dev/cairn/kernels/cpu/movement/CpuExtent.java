package dev.cairn.kernels.cpu.movement;

import dev.cairn.kernels.attribute.ShapeForm;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.ValueLayout;

/** The facts of a tensor that need no elements, as {@code int64}: {@code Shape}, {@code Size}. */
public final class CpuExtent {
  private CpuExtent() {}

  /**
   * The extents of axes {@code [start, end)}; both count from the last axis when negative and are clamped to the
   * rank.
   */
  public static void shape(KernelCall call) {
    Shape shape = call.input(0).shape();
    ShapeForm form = ShapeForm.of(call.attributes(), shape.rank());
    int start = axis(form.start(), shape.rank());
    int end = axis(form.end(), shape.rank());
    TensorView output = call.output(0);
    if (output.elementCount() != Math.max(0, end - start)) {
      throw new IllegalArgumentException(
        "one element an axis: operator=Shape start=%d end=%d output=%s".formatted(start, end, output.type()));
    }
    for (int axis = start; axis < end; axis++) {
      output.segment().set(ValueLayout.JAVA_LONG_UNALIGNED, (axis - start) * 8L, shape.extent(axis));
    }
  }

  /** How many elements there are. */
  public static void size(KernelCall call) {
    call.output(0).segment().set(ValueLayout.JAVA_LONG_UNALIGNED, 0, call.input(0).elementCount());
  }

  private static int axis(long given, int rank) {
    return Math.clamp(given < 0 ? given + rank : given, 0, rank);
  }
}
