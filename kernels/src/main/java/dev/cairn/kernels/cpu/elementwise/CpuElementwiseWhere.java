package dev.cairn.kernels.cpu.elementwise;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Broadcast;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.TensorView;

/** {@code Where(condition, x, y)} for every element type, bit for bit, stretched as NumPy broadcasts. */
public final class CpuElementwiseWhere implements Kernel {
  private static final long GRAIN = 1 << 12;

  @Override
  public void run(KernelCall call) {
    TensorView condition = call.input(0);
    TensorView x = Elements.bits(call.input(1));
    TensorView y = Elements.bits(call.input(2));
    TensorView result = call.output(0);
    var broadcast = Broadcast.of(result.shape(), condition.shape(), x.shape(), y.shape());
    CpuStream.of(call).parallel(result.elementCount(), GRAIN, (first, end) -> {
      long[] chosen = new long[Elements.BLOCK];
      long[] others = new long[Elements.BLOCK];
      long[] choices = new long[Elements.BLOCK];
      var runs = broadcast.runs(first, end);
      while (runs.next()) {
        for (long at = 0; at < runs.length(); at += Elements.BLOCK) {
          int count = (int) Math.min(Elements.BLOCK, runs.length() - at);
          Elements.read(condition, runs.offset(0) + at * broadcast.step(0), broadcast.step(0), choices, count);
          Elements.read(x, runs.offset(1) + at * broadcast.step(1), broadcast.step(1), chosen, count);
          Elements.read(y, runs.offset(2) + at * broadcast.step(2), broadcast.step(2), others, count);
          for (int i = 0; i < count; i++) {
            chosen[i] = choices[i] != 0 ? chosen[i] : others[i];
          }
          Elements.write(chosen, result, runs.output() + at, count);
        }
      }
    });
  }
}
