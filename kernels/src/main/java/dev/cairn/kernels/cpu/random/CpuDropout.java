package dev.cairn.kernels.cpu.random;

import dev.cairn.kernels.attribute.DropoutForm;
import dev.cairn.kernels.catalog.DropoutCall;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.cpu.movement.CpuIdentity;
import dev.cairn.kernels.cpu.selection.CpuGather;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;

/**
 * {@code Dropout(x, ratio?, training?, random?)}. With attribute {@code training_mode=1} it keeps an element where its
 * random number is at least the ratio, and divides it by the share of kept ones; others become 0 (W-7). Otherwise it
 * copies. The second result is the mask. All elements along {@code axes} share one random number. The gradient is the
 * same operator on the gradient of the result.
 */
public final class CpuDropout implements Kernel {
  private static final long GRAIN = 1 << 10;

  @Override
  public void run(KernelCall call) {
    if (DropoutForm.of(call.attributes()).isTraining()) {
      drop(call);
    } else {
      CpuIdentity.dropout(call);
    }
  }

  private static void drop(KernelCall call) {
    TensorView x = call.input(0);
    PhiloxGenerator generator = CpuRandom.generator(call, 3);
    var dropout = new DropoutCall(call);
    double ratio = dropout.ratio();
    double scale = dropout.scale();
    boolean single = x.dtype() != DType.FLOAT64;
    long[] extents = x.shape().extents();
    boolean isShared = dropout.shared().length > 0;
    long[] strides = dropout.strides();
    CpuStream.of(call).parallel(x.elementCount(), GRAIN, (first, end) -> {
      double[] block = new double[Elements.BLOCK];
      double[] numbers = new double[Elements.BLOCK];
      long[] mask = new long[Elements.BLOCK];
      for (long at = first; at < end; at += Elements.BLOCK) {
        int count = (int) Math.min(Elements.BLOCK, end - at);
        Elements.read(x, at, block, count);
        if (isShared) {
          draw(generator, at, extents, strides, numbers, count);
        } else {
          generator.uniform24(at, numbers, count);
        }
        for (int i = 0; i < count; i++) {
          boolean kept = numbers[i] >= ratio && ratio < 1;
          double scaled = kept ? block[i] * scale : 0;
          block[i] = single ? (float) scaled : scaled;
          mask[i] = kept ? 1 : 0;
        }
        Elements.write(block, call.output(0), at, count);
        if (call.outputCount() > 1) {
          Elements.write(mask, call.output(1), at, count);
        }
      }
    });
  }

  private static void draw(PhiloxGenerator generator, long first, long[] extents, long[] strides, double[] to,
    int count) {
    double[] one = new double[1];
    for (int i = 0; i < count; i++) {
      generator.uniform24(CpuGather.offset(first + i, extents, strides), one, 1);
      to[i] = one[0];
    }
  }
}
