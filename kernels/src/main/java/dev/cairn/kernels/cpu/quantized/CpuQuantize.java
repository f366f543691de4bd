package dev.cairn.kernels.cpu.quantized;

import dev.cairn.kernels.attribute.QuantizedForm;
import dev.cairn.kernels.attribute.QuantizedLines;
import dev.cairn.kernels.attribute.QuantizedRange;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.cpu.access.HalfNumber;
import dev.cairn.kernels.cpu.access.NarrowTarget;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;
import java.util.Locale;

/**
 * {@code QuantizeLinear(x, scale, zero?)}: {@code saturate(round(x / scale) + zero)}, rounded half to even. The
 * quotient has the scale's type, or the one that attribute {@code precision} names. A result of narrow floats is
 * {@code x / scale + zero}, rounded as {@link NarrowTarget} says.
 */
public final class CpuQuantize implements Kernel {
  private static final long GRAIN = 1 << 13;

  @Override
  public void run(KernelCall call) {
    TensorView scales = call.input(1);
    QuantizedLines lines = QuantizedLines.of(call.attributes(), call.input(0).shape(), scales.shape());
    DType precision = DType.valueOf(QuantizedForm.of(call.attributes()).precision().orElse(scales.dtype().toString())
      .toUpperCase(Locale.ROOT));
    QuantizedWalk.run(call, lines, GRAIN, new Values(call, lines, precision, code(call))::quantize);
  }

  /** Makes a result of the units and the zero point. */
  @FunctionalInterface
  private interface Code {
    long of(float units, QuantizedScales scales);
  }

  private static Code code(KernelCall call) {
    DType dtype = call.output(0).dtype();
    if (dtype.isNarrowFloat()) {
      var target = NarrowTarget.of(dtype, call.attributes());
      return (units, scales) -> target.code(scales.zeroReal() == 0 ? units : units + scales.zeroReal());
    }
    QuantizedRange range = QuantizedRange.of(dtype);
    return (units, scales) -> range.quantized(units, (int) scales.zero());
  }

  private record Values(KernelCall call, QuantizedLines lines, DType precision, Code code) {
    void quantize(long line, long first, int count) {
      double[] x = new double[count];
      long[] y = new long[count];
      var scales = new QuantizedScales(call, lines);
      long start = line * lines.length() + first;
      Elements.read(call.input(0), start, x, count);
      for (int i = 0; i < count; i++) {
        scales.moveTo(line, first + i);
        float units = rounded((float) x[i]) / rounded(scales.scale());
        y[i] = code.of(rounded(units), scales);
      }
      Elements.write(y, call.output(0), start, count);
    }

    private float rounded(float value) {
      return HalfNumber.rounded(precision, value);
    }
  }
}
