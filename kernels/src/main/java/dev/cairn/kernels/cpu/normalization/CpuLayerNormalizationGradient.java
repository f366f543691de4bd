package dev.cairn.kernels.cpu.normalization;

import dev.cairn.kernels.attribute.NormalizedRows;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.cpu.team.CpuStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * {@code LayerNormalizationGradient(h, x, scale, mean?, inverse?)}: gradients of {@code x}, scale and bias of a layer
 * normalisation, from the gradient {@code h} of its result. The gradients of scale and bias have the shape of a row.
 * Mean and inverse deviation of each row are results 1 and 2 of the layer normalisation; without them the kernel
 * computes them again.
 *
 * <pre>
 * n = (x - mean) inverse;  g = h scale;  x: inverse (g - mean g - n mean (g n));  scale: sum h n;  bias: sum h
 * </pre>
 *
 * The rows are cut into parts by their number and length alone. Each part has its own sums, which are then added in
 * order, so that results do not depend on threads.
 */
public final class CpuLayerNormalizationGradient implements Kernel {
  private static final long GRAIN = 1 << 12;
  private static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE_UNALIGNED;
  private static final int MOST_PARTS = 32;
  private static final long MOST_SUMS = 1 << 18;

  /** How rows of one length are cut into parts. */
  private record Parts(long rows, int length, long count, long ofPart) {
    static Parts of(NormalizedRows form) {
      int length = Math.toIntExact(form.length());
      long rows = form.rows();
      long most = Math.clamp(MOST_SUMS / Math.max(1, length), 1, MOST_PARTS);
      long ofPart = Math.max(Math.max(1, GRAIN / Math.max(1, length)), Math.ceilDiv(rows, most));
      return new Parts(rows, length, Math.ceilDiv(rows, ofPart), ofPart);
    }

    long bytes() {
      return 2 * count * length * Double.BYTES;
    }
  }

  @Override
  public long workspaceBytes(KernelSignature signature) {
    return Parts.of(NormalizedRows.of(signature.attributes(), signature.input(1).shape())).bytes();
  }

  @Override
  public long workspaceBytesUpTo(KernelSignature signature) {
    long length = NormalizedRows.of(signature.attributes(), signature.input(1).shape()).length();
    return 2 * Math.min(MOST_PARTS * length, Math.max(MOST_SUMS, length)) * Double.BYTES;
  }

  @Override
  public void run(KernelCall call) {
    NormalizedRows form = NormalizedRows.of(call.attributes(), call.input(1).shape());
    Parts parts = Parts.of(form);
    double[] scale = RowOperand.of(call.input(2), form, call.input(1).shape()).of(0, new double[0]);
    CpuStream.of(call).parallel(parts.count, 1, (first, end) -> {
      var rows = new Rows(call, scale, form.epsilon());
      for (long part = first; part < end; part++) {
        rows.part(part * parts.ofPart, Math.min(parts.rows, (part + 1) * parts.ofPart));
        rows.keep(call.workspace(), part);
      }
    });
    addUp(call, parts);
  }

  private static void addUp(KernelCall call, Parts parts) {
    CpuStream.of(call).parallel(parts.length, GRAIN, (first, end) -> {
      double[] sum = new double[1];
      for (long i = first; i < end; i++) {
        for (int which = 0; which < 2; which++) {
          sum[0] = 0;
          for (long part = 0; part < parts.count; part++) {
            sum[0] += call.workspace().get(DOUBLE, ((2 * part + which) * parts.length + i) * Double.BYTES);
          }
          Elements.write(sum, call.output(1 + which), i, 1);
        }
      }
    });
  }

  /** The work of one thread on rows, with the sums of a part. */
  private static final class Rows {
    private final KernelCall call;
    private final double[] scale;
    private final double[] h;
    private final double[] x;
    private final double[] scales;
    private final double[] biases;
    private final double epsilon;

    Rows(KernelCall call, double[] scale, double epsilon) {
      this.call = call;
      this.scale = scale;
      this.epsilon = epsilon;
      this.h = new double[scale.length];
      this.x = new double[scale.length];
      this.scales = new double[scale.length];
      this.biases = new double[scale.length];
    }

    void part(long first, long end) {
      Arrays.fill(scales, 0);
      Arrays.fill(biases, 0);
      for (long row = first; row < end; row++) {
        row(row);
      }
    }

    private void row(long row) {
      int length = scale.length;
      boolean saved = call.has(3) && call.has(4);
      double mean;
      double inverse;
      if (saved) {
        mean = call.input(3).doubleAt(row);
        inverse = call.input(4).doubleAt(row);
      } else {
        Moments moments = Moments.of(call.input(1), row * length, length, x);
        mean = moments.mean();
        inverse = moments.inverseDeviation(epsilon);
      }
      Elements.read(call.input(0), row * length, h, length);
      Elements.read(call.input(1), row * length, x, length);
      double sum = 0;
      double products = 0;
      for (int i = 0; i < length; i++) {
        x[i] = (x[i] - mean) * inverse;
        scales[i] += h[i] * x[i];
        biases[i] += h[i];
        h[i] *= scale[i];
        sum += h[i];
        products += h[i] * x[i];
      }
      sum /= length;
      products /= length;
      for (int i = 0; i < length; i++) {
        h[i] = inverse * (h[i] - sum - x[i] * products);
      }
      Elements.write(h, call.output(0), row * length, length);
    }

    void keep(MemorySegment sums, long part) {
      long at = 2 * part * scale.length * Double.BYTES;
      MemorySegment.copy(scales, 0, sums, DOUBLE, at, scale.length);
      MemorySegment.copy(biases, 0, sums, DOUBLE, at + (long) scale.length * Double.BYTES, scale.length);
    }
  }
}
