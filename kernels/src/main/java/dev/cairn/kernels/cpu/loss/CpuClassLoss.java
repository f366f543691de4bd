package dev.cairn.kernels.cpu.loss;

import dev.cairn.kernels.attribute.ClassLoss;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.cpu.access.LinesAlong;
import dev.cairn.kernels.cpu.reduction.CpuLineFunction;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * {@code SoftmaxCrossEntropyLoss(scores, labels, weights?)} and {@code NegativeLogLikelihoodLoss(x, labels, weights?)}:
 * the negative logarithm of the likelihood of each item's label, times the weight of its class. The first one computes
 * the likelihoods' logarithms from scores, and can give them as a second result.
 */
public final class CpuClassLoss implements Kernel {
  /** From scores. */
  public static final Kernel OF_SCORES = new CpuClassLoss(true);
  /** From logarithms of likelihoods. */
  public static final Kernel OF_LIKELIHOODS = new CpuClassLoss(false);

  private static final long GRAIN = 1 << 11;
  private static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE_UNALIGNED;
  /** Items whose losses become one sum, which is the same on any number of threads. */
  private static final long ITEMS = 64;

  private final boolean softmax;

  private CpuClassLoss(boolean softmax) {
    this.softmax = softmax;
  }

  @Override
  public long workspaceBytes(KernelSignature signature) {
    return Math.ceilDiv(signature.input(1).shape().elementCount(), ITEMS) * Double.BYTES;
  }

  static LabelledItems items(KernelCall call, int labels, long classes) {
    return new LabelledItems(ClassLoss.of(call.attributes()), call.input(labels), call.has(labels + 1)
      ? call.input(labels + 1)
      : null, classes);
  }

  @Override
  public void run(KernelCall call) {
    TensorView x = call.input(0);
    LinesAlong lines = LinesAlong.of(x.shape(), 1);
    LabelledItems items = items(call, 1, lines.extent());
    MemorySegment sums = call.workspace();
    boolean each = items.loss().reduction() == ClassLoss.Kind.NONE;
    CpuStream.of(call).parallel(Math.ceilDiv(items.count(), ITEMS), lines.grain(GRAIN / ITEMS), (first, end) -> {
      double[] line = new double[Math.toIntExact(lines.extent())];
      double[] losses = new double[(int) ITEMS];
      for (long block = first; block < end; block++) {
        int count = (int) Math.min(ITEMS, items.count() - block * ITEMS);
        double sum = 0;
        for (int i = 0; i < count; i++) {
          losses[i] = loss(call, lines, items, block * ITEMS + i, line);
          sum += losses[i];
        }
        if (each) {
          Elements.write(losses, call.output(0), block * ITEMS, count);
        }
        sums.set(DOUBLE, block * Double.BYTES, sum);
      }
    });
    if (!each) {
      double sum = 0;
      for (long block = 0; block < Math.ceilDiv(items.count(), ITEMS); block++) {
        sum += sums.get(DOUBLE, block * Double.BYTES);
      }
      Elements.write(new double[] {sum / items.normalizer()}, call.output(0), 0, 1);
    }
  }

  private double loss(KernelCall call, LinesAlong lines, LabelledItems items, long item, double[] line) {
    if (!softmax) {
      return items.isIgnored(item)
        ? 0
        : 0 - items.weight(item) * call.input(0).doubleAt(lines.at(item, items.label(item)));
    }
    lines.read(call.input(0), item, line);
    CpuLineFunction.logarithms(line);
    if (call.outputCount() > 1) {
      lines.write(line, call.output(1), item);
    }
    return items.isIgnored(item) ? 0 : 0 - items.weight(item) * line[items.label(item)];
  }
}
