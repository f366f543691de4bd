package dev.cairn.kernels.cpu.normalization;

import dev.cairn.kernels.attribute.NormalizedRows;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.TensorView;
import java.util.Optional;

/**
 * {@code LayerNormalization(x, scale, bias?)} over all axes from {@code axis} on; scale and bias broadcast to x.
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
    var scale = RowOperand.of(call.input(1), form, x.shape());
    Optional<RowOperand> bias = call.has(2)
      ? Optional.of(RowOperand.of(call.input(2), form, x.shape()))
      : Optional.empty();
    int length = Math.toIntExact(form.length());
    CpuStream.of(call).parallel(y.elementCount() / length, Math.max(1, GRAIN / length), (first, end) -> {
      double[] block = new double[length];
      double[] factors = scale.buffer();
      double[] addends = bias.map(RowOperand::buffer).orElseGet(() -> new double[length]);
      for (long index = first; index < end; index++) {
        Moments moments = Moments.of(x, index * length, length, block);
        double inverse = moments.inverseDeviation(form.epsilon());
        Elements.read(x, index * length, block, length);
        double[] factor = scale.of(index, factors);
        double[] addend = bias.isPresent() ? bias.get().of(index, addends) : addends;
        for (int i = 0; i < length; i++) {
          block[i] = (block[i] - moments.mean()) * inverse * factor[i] + addend[i];
        }
        Elements.write(block, y, index * length, length);
        writeFurther(call, 1, index, moments.mean());
        writeFurther(call, 2, index, inverse);
      }
    });
  }

  private static void writeFurther(KernelCall call, int output, long row, double value) {
    if (output < call.outputCount()) {
      Elements.write(new double[] {value}, call.output(output), row, 1);
    }
  }
}
