package dev.cairn.kernels.cpu;

import dev.cairn.kernels.attribute.QuantisedLines;
import dev.cairn.kernels.attribute.QuantisedRange;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;
import java.util.Locale;

/**
 * {@code QuantizeLinear(x, scale, zero?)}: {@code saturate(round(x / scale) + zero)}, rounded half to even. The
 * quotient has the scale's type, or the one that attribute {@code precision} names.
 */
public final class CpuQuantize implements Kernel {
  private static final long GRAIN = 1 << 13;

  @Override
  public void run(KernelCall call) {
    TensorView scales = call.input(1);
    QuantisedLines lines = QuantisedLines.of(call.attributes(), call.input(0).shape(), scales.shape());
    DType precision = DType.valueOf(call.attributes().getText("precision", scales.dtype().toString())
      .toUpperCase(Locale.ROOT));
    var values = new Values(call, lines, precision, QuantisedRange.of(call.output(0).dtype()));
    QuantisedWalk.run(call, lines, GRAIN, values::quantise);
  }

  private record Values(KernelCall call, QuantisedLines lines, DType precision, QuantisedRange range) {
    void quantise(long line, long first, int count) {
      double[] x = new double[count];
      long[] y = new long[count];
      var scales = new QuantisedScales(call, lines);
      long start = line * lines.length() + first;
      Elements.read(call.input(0), start, x, count);
      for (int i = 0; i < count; i++) {
        scales.moveTo(line, first + i);
        float units = rounded((float) x[i]) / rounded(scales.scale());
        y[i] = range.quantised(rounded(units), (int) scales.zero());
      }
      Elements.write(y, call.output(0), start, count);
    }

    private float rounded(float value) {
      return HalfNumber.rounded(precision, value);
    }
  }
}
