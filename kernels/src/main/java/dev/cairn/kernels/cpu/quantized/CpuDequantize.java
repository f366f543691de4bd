package dev.cairn.kernels.cpu.quantized;

import dev.cairn.kernels.attribute.QuantizedLines;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Elements;

/**
 * {@code DequantizeLinear(x, scale, zero?)}: {@code (x - zero) * scale}, in {@code float32}, rounded to the result's
 * type. The difference wraps at 32 bits.
 */
public final class CpuDequantize implements Kernel {
  private static final long GRAIN = 1 << 13;

  @Override
  public void run(KernelCall call) {
    QuantizedLines lines = QuantizedLines.of(call.attributes(), call.input(0).shape(), call.input(1).shape());
    QuantizedWalk.run(call, lines, GRAIN, (line, first, count) -> dequantize(call, lines, line, first, count));
  }

  private static void dequantize(KernelCall call, QuantizedLines lines, long line, long first, int count) {
    double[] values = new double[count];
    var scales = new QuantizedScales(call, lines);
    long start = line * lines.length() + first;
    if (call.input(0).dtype().isNarrowFloat()) {
      Elements.read(call.input(0), start, values, count);
      for (int i = 0; i < count; i++) {
        scales.moveTo(line, first + i);
        values[i] = (float) (values[i] - scales.zeroReal()) * scales.scale();
      }
    } else {
      long[] x = new long[count];
      Elements.read(call.input(0), start, x, count);
      for (int i = 0; i < count; i++) {
        scales.moveTo(line, first + i);
        values[i] = (float) (int) (x[i] - scales.zero()) * scales.scale();
      }
    }
    Elements.write(values, call.output(0), start, count);
  }
}
