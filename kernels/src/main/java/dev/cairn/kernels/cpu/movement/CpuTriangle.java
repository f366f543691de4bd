package dev.cairn.kernels.cpu.movement;

import dev.cairn.kernels.attribute.DiagonalForm;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.StridedCopy;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;

/**
 * {@code Trilu}: matrices with one triangle kept and zeros elsewhere. Inputs x, k? (the diagonal); attribute upper
 * (default 1).
 */
public final class CpuTriangle {
  private CpuTriangle() {}

  /** Keeps the elements at {@code column - row >= k} (upper) or {@code <= k} (lower). */
  public static void trilu(KernelCall call) {
    TensorView input = call.input(0);
    Shape shape = input.shape();
    if (shape.rank() < 2 || !shape.equals(call.output(0).shape())) {
      throw new IllegalArgumentException(
        "matrices of one shape: operator=Trilu input=%s output=%s".formatted(input.type(), call.output(0).type()));
    }
    boolean upper = DiagonalForm.of(call.attributes()).isUpper();
    long rows = shape.extent(-2);
    long columns = shape.extent(-1);
    // Beyond these bounds every diagonal keeps all elements or none; clamping keeps row + k from overflowing.
    long k = Math.clamp(call.has(1) ? call.input(1).longAt(0) : 0, -rows - 1, columns + 1);
    if (shape.elementCount() == 0) {
      return;
    }
    long bytes = input.dtype().bytes();
    CpuStream.of(call).parallel(shape.elementCount() / columns, StridedCopy.grain(columns * bytes), (first, end) -> {
      for (long line = first; line < end; line++) {
        long diagonal = line % rows + k;
        long from = upper ? Math.clamp(diagonal, 0L, columns) : 0;
        long to = upper ? columns : Math.clamp(diagonal + 1, 0L, columns);
        long begin = line * columns * bytes;
        MemorySegment target = call.output(0).segment();
        target.asSlice(begin, from * bytes).fill((byte) 0);
        MemorySegment.copy(input.segment(), begin + from * bytes, target, begin + from * bytes, (to - from) * bytes);
        target.asSlice(begin + to * bytes, (columns - to) * bytes).fill((byte) 0);
      }
    });
  }
}
