package dev.cairn.kernels.cpu.normalization;

import dev.cairn.kernels.attribute.NormalizedRows;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.TensorView;

/**
 * {@code RMSNormalization(x, scale)}: each row, over all axes from {@code axis} on, divided by the root of its mean
 * square; the scale broadcasts to x. Computed in {@code double}, whatever {@code stash_type} says.
 */
public final class CpuRmsNormalization implements Kernel {
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
    int length = Math.toIntExact(form.length());
    CpuStream.of(call).parallel(y.elementCount() / length, Math.max(1, GRAIN / length), (first, end) -> {
      double[] block = new double[length];
      double[] factors = scale.buffer();
      for (long index = first; index < end; index++) {
        Elements.read(x, index * length, block, length);
        double squares = 0;
        for (double value : block) {
          squares += value * value;
        }
        double[] factor = scale.of(index, factors);
        double inverse = 1 / Math.sqrt(squares / length + form.epsilon());
        for (int i = 0; i < length; i++) {
          block[i] *= inverse * factor[i];
        }
        Elements.write(block, y, index * length, length);
      }
    });
  }
}
