package dev.cairn.kernels.cpu.generation;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.tensor.TensorView;

/**
 * {@code Range(start, limit, delta)}: element {@code i} is {@code start + i * delta}, of as many elements as the
 * output has. Float types are computed in {@code double} and rounded once.
 */
public final class CpuRange implements Kernel {
  @Override
  public void run(KernelCall call) {
    TensorView y = call.output(0);
    TensorView start = call.input(0);
    TensorView delta = call.input(2);
    for (long at = 0; at < y.elementCount(); at += Elements.BLOCK) {
      int count = (int) Math.min(Elements.BLOCK, y.elementCount() - at);
      if (y.dtype().isFloat()) {
        double[] block = new double[count];
        for (int i = 0; i < count; i++) {
          block[i] = start.doubleAt(0) + (at + i) * delta.doubleAt(0);
        }
        Elements.write(block, y, at, count);
      } else {
        long[] block = new long[count];
        for (int i = 0; i < count; i++) {
          block[i] = start.longAt(0) + (at + i) * delta.longAt(0);
        }
        Elements.write(block, y, at, count);
      }
    }
  }
}
