package dev.cairn.kernels.cpu.attention;

import dev.cairn.kernels.attribute.RotaryRows;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.TensorView;

/**
 * {@code RotaryEmbedding(x, cos, sin, positions?)}: pairs of each row's first elements, rotated by the angles of the
 * row's position. A pair is the same element of both halves, or with {@code interleaved} two neighbours.
 */
public final class CpuRotaryEmbedding implements Kernel {
  private static final long GRAIN = 1 << 11;

  /** @throws IllegalArgumentException when the caches have no such position */
  @Override
  public void run(KernelCall call) {
    TensorView x = call.input(0);
    TensorView y = call.output(0);
    if (y.elementCount() == 0) {
      return;
    }
    RotaryRows rows = RotaryRows.of(call.attributes(), x.shape());
    int size = rows.size();
    int half = rows.rotated() / 2;
    boolean interleaved = RotaryRows.isInterleaved(call.attributes());
    CpuStream.of(call).parallel(x.elementCount() / size, Math.max(1, GRAIN / size), (first, end) -> {
      double[] row = new double[size];
      double[] cos = new double[half];
      double[] sin = new double[half];
      for (long item = first; item < end; item++) {
        long angle = angle(call, rows.step(item)) * half;
        Elements.read(call.input(1), angle, cos, half);
        Elements.read(call.input(2), angle, sin, half);
        Elements.read(x, item * size, row, size);
        for (int i = 0; i < half; i++) {
          int real = interleaved ? 2 * i : i;
          int imaginary = interleaved ? 2 * i + 1 : i + half;
          double turned = cos[i] * row[real] - sin[i] * row[imaginary];
          row[imaginary] = sin[i] * row[real] + cos[i] * row[imaginary];
          row[real] = turned;
        }
        Elements.write(row, y, item * size, size);
      }
    });
  }

  /** The line of the caches for a step of a sequence: the step itself, or its position. */
  private static long angle(KernelCall call, long step) {
    if (!call.has(3)) {
      return step;
    }
    long position = call.input(3).longAt(step);
    if (position < 0 || position >= call.input(1).shape().extent(0)) {
      throw new IllegalArgumentException("no such position: step=%d position=%d positions=%d".formatted(step, position,
        call.input(1).shape().extent(0)));
    }
    return position;
  }
}
