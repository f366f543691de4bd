package dev.cairn.kernels.cpu.loss;

import dev.cairn.kernels.attribute.ClassLoss;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.LinesAlong;
import dev.cairn.kernels.cpu.reduction.CpuLineFunction;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.TensorView;
import java.util.Arrays;

/**
 * {@code SoftmaxCrossEntropyLossGradient(h, scores, labels, weights?)} and {@code NegativeLogLikelihoodLossGradient(h,
 * labels, weights?)}: the gradient of the scores, or of the likelihoods' logarithms, from the gradient {@code h} of the
 * loss. For an item of weight w it is {@code (softmax - one-hot) h w / normalizer}, or {@code -h w / normalizer} at
 * the label; 0 if the item is ignored.
 */
public final class CpuClassLossGradient implements Kernel {
  /** The gradient for scores. */
  public static final Kernel OF_SCORES = new CpuClassLossGradient(true);
  /** The gradient for logarithms of likelihoods. */
  public static final Kernel OF_LIKELIHOODS = new CpuClassLossGradient(false);

  private static final long GRAIN = 1 << 11;

  private final boolean softmax;

  private CpuClassLossGradient(boolean softmax) {
    this.softmax = softmax;
  }

  @Override
  public void run(KernelCall call) {
    TensorView y = call.output(0);
    if (y.elementCount() == 0) {
      return;
    }
    LinesAlong lines = LinesAlong.of(y.shape(), 1);
    LabelledItems items = CpuClassLoss.items(call, softmax ? 2 : 1, lines.extent());
    double normalizer = items.normalizer();
    boolean each = items.loss().reduction() == ClassLoss.Kind.NONE;
    CpuStream.of(call).parallel(lines.count(), lines.grain(GRAIN), (first, end) -> {
      double[] line = new double[Math.toIntExact(lines.extent())];
      for (long item = first; item < end; item++) {
        if (items.isIgnored(item)) {
          Arrays.fill(line, 0);
        } else {
          double factor = call.input(0).doubleAt(each ? item : 0) * items.weight(item) / normalizer;
          fill(call, lines, item, line);
          line[items.label(item)] -= 1;
          for (int i = 0; i < line.length; i++) {
            line[i] *= factor;
          }
        }
        lines.write(line, y, item);
      }
    });
  }

  /** The derivative of the logarithm of the sum, where there is one. */
  private void fill(KernelCall call, LinesAlong lines, long item, double[] line) {
    if (softmax) {
      lines.read(call.input(1), item, line);
      CpuLineFunction.normalize(line);
    } else {
      Arrays.fill(line, 0);
    }
  }
}
