package dev.cairn.kernels.cpu.quantized;

import dev.cairn.kernels.attribute.QuantizedInputs;
import dev.cairn.kernels.attribute.QuantizedRange;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.cpu.convolution.CpuConvolution;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;

/**
 * Convolutions of 8-bit whole numbers, less their zero points; padding counts as the zero point. {@code ConvInteger}
 * has the sums as its result, 32-bit numbers that wrap; {@code QLinearConv} adds a bias and quantises them again.
 */
public final class CpuIntegerConvolution implements Kernel {
  private final QuantizedInputs inputs;

  public CpuIntegerConvolution(QuantizedInputs inputs) {
    this.inputs = inputs;
  }

  @Override
  public void run(KernelCall call) {
    Shape weights = call.input(inputs.right()).shape();
    CpuConvolution.run(call, call.input(inputs.left()).shape(), weights, new Operands(call, inputs,
      new QuantizedNumbers(call, inputs), weights));
  }

  private record Operands(KernelCall call, QuantizedInputs inputs, QuantizedNumbers numbers, Shape weights)
    implements
      CpuConvolution.Operands {
    @Override
    public void readPlane(long plane, double[] to) {
      read(call.input(inputs.left()), plane * to.length, numbers.leftZero(0), to);
    }

    @Override
    public void readFilter(int output, int channel, double[] to) {
      long filter = output * weights.extent(1) + channel;
      read(call.input(inputs.right()), filter * to.length, numbers.rightZero(output), to);
    }

    private static void read(TensorView from, long first, int zero, double[] to) {
      Elements.read(from, first, to, to.length);
      for (int i = 0; i < to.length; i++) {
        to[i] -= zero;
      }
    }

    @Override
    public double start(int output) {
      return call.has(inputs.bias()) ? call.input(inputs.bias()).longAt(output) : 0;
    }

    /** Sums are whole and exact in {@code double}, so that their low bits are those of wrapped sums. */
    @Override
    public void write(long plane, double[] sums) {
      TensorView y = call.output(0);
      int output = (int) (plane % weights.extent(0));
      long[] values = new long[sums.length];
      float scale = numbers.productScale(0, output) / numbers.scale(0);
      for (int i = 0; i < sums.length; i++) {
        int sum = (int) (long) sums[i];
        values[i] = inputs.scale() == QuantizedInputs.NONE
          ? sum
          : QuantizedRange.of(y.dtype()).quantized(sum * scale, numbers.zero(0));
      }
      Elements.write(values, y, plane * sums.length, sums.length);
    }
  }
}
