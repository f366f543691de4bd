package dev.cairn.kernels.cpu;

import dev.cairn.kernels.attribute.QuantisedLines;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.tensor.TensorView;

/**
 * {@code DequantizeLinear(x, scale, zero?)}: {@code (x - zero) * scale}, in {@code float32}, rounded to the result's
 * type. The difference wraps at 32 bits.
 */
public final class CpuDequantize implements Kernel {
  private static final long GRAIN = 1 << 13;

  @Override
  public void run(KernelCall call) {
    QuantisedLines lines = QuantisedLines.of(call.attributes(), call.input(0).shape(), call.input(1).shape());
    QuantisedWalk.run(call, lines, GRAIN, (line, first, count) -> dequantise(call, lines, line, first, count));
  }

  private static void dequantise(KernelCall call, QuantisedLines lines, long line, long first, int count) {
    TensorView y = call.output(0);
    long[] x = new long[count];
    double[] scale = new double[1];
    long[] zero = new long[1];
    double[] values = new double[count];
    long start = line * lines.length() + first;
    Elements.read(call.input(0), start, x, count);
    long last = -1;
    for (int i = 0; i < count; i++) {
      long at = lines.scale(line) + (first + i) / lines.run();
      if (at != last) {
        Elements.read(call.input(1), at, scale, 1);
        if (call.has(2)) {
          Elements.read(call.input(2), at, zero, 1);
        }
        last = at;
      }
      values[i] = (float) (int) (x[i] - zero[0]) * (float) scale[0];
    }
    Elements.write(values, y, start, count);
  }
}
