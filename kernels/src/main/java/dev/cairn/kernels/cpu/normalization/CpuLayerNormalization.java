package dev.cairn.kernels.cpu.normalization;

import dev.cairn.kernels.attribute.NormalizedRows;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Broadcast;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;

/**
 * {@code LayerNormalization(x, scale, bias?)} over all axes from {@code axis} on; scale and bias stretch to these.
 * Further outputs, where asked for, are the mean and one over the standard deviation of each row.
 */
public final class CpuLayerNormalization implements Kernel {
  private static final long GRAIN = 1 << 12;

  @Override
  public void run(KernelCall call) {
    TensorView x = call.input(0);
    TensorView y = call.output(0);
    if (y.elementCount() == 0) {
      return;
    }
    NormalizedRows form = NormalizedRows.of(call.attributes(), x.shape());
    double[] scale = stretched(call.input(1), form.row());
    double[] bias = call.has(2) ? stretched(call.input(2), form.row()) : new double[scale.length];
    int length = scale.length;
    CpuStream.of(call).parallel(y.elementCount() / length, Math.max(1, GRAIN / length), (first, end) -> {
      double[] block = new double[length];
      for (long index = first; index < end; index++) {
        Moments moments = Moments.of(x, index * length, length, block);
        double inverse = moments.inverseDeviation(form.epsilon());
        Elements.read(x, index * length, block, length);
        for (int i = 0; i < length; i++) {
          block[i] = (block[i] - moments.mean()) * inverse * scale[i] + bias[i];
        }
        Elements.write(block, y, index * length, length);
        writeFurther(call, 1, index, moments.mean());
        writeFurther(call, 2, index, inverse);
      }
    });
  }

  /** All elements of an operand that stretches to the axes of a row. */
  static double[] stretched(TensorView operand, Shape row) {
    double[] values = new double[Math.toIntExact(row.elementCount())];
    var broadcast = Broadcast.of(row, operand.shape());
    var runs = broadcast.runs(0, values.length);
    while (runs.next()) {
      for (int i = 0; i < runs.length(); i++) {
        values[(int) runs.output() + i] = operand.doubleAt(runs.offset(0) + i * broadcast.step(0));
      }
    }
    return values;
  }

  private static void writeFurther(KernelCall call, int output, long row, double value) {
    if (output < call.outputCount()) {
      Elements.write(new double[] {value}, call.output(output), row, 1);
    }
  }
}
