package dev.cairn.kernels.cpu;

import dev.cairn.kernels.attribute.AttentionHeads;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Layout;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.util.Arrays;

/**
 * {@code Attention(query, key, value, mask?)}: each query's mean of the values, weighted by the softmax of its scaled
 * products with the keys. A mask is added to the scores, or says of each whether it counts; {@code is_causal} leaves
 * out keys behind the query's own number, and their values, even if these are no numbers. Computed in {@code double}, a
 * row at a time. Where all keys of a query are masked, its shares are 0, and so is its result; or NaN where an
 * attribute says so.
 */
public final class CpuAttention implements Kernel {
  private static final long GRAIN_TERMS = 1 << 14;

  @Override
  public void run(KernelCall call) {
    var row = new Call(call);
    AttentionHeads heads = row.heads;
    long rows = (long) heads.batch() * heads.heads() * heads.queries();
    long terms = Math.max(1, (long) heads.keys() * (heads.size() + heads.valueSize()));
    CpuStream.of(call).parallel(rows, Math.max(1, GRAIN_TERMS / terms), (first, end) -> {
      for (long index = first; index < end; index++) {
        long head = index / heads.queries();
        row.compute((int) (head / heads.heads()), (int) (head % heads.heads()), (int) (index % heads.queries()));
      }
    });
  }

  /** What all rows have in common. */
  private static final class Call {
    final AttentionHeads heads;
    private final KernelCall call;
    private final double scale;
    private final boolean causal;
    /** Each share of a query whose keys are all masked. */
    private final double ofNothing;
    private final boolean masked;
    private final Layout mask;

    Call(KernelCall call) {
      this.call = call;
      this.heads = AttentionHeads.of(call.attributes(), call.input(0).shape(), call.input(1).shape(), call.input(2)
        .shape());
      this.scale = heads.scale(call.attributes());
      this.causal = AttentionHeads.isCausal(call.attributes());
      this.ofNothing = AttentionHeads.isNanWhenMasked(call.attributes()) ? Double.NaN : 0;
      this.masked = call.has(3);
      this.mask = heads.mask(masked ? call.input(3).shape() : Shape.SCALAR);
    }

    void compute(int batch, int head, int query) {
      double[] shares = new double[causal ? Math.min(heads.keys(), query + 1) : heads.keys()];
      double[] q = new double[heads.size()];
      Elements.read(call.input(0), heads.query().at(batch, head, query), q, q.length);
      double[] k = new double[heads.size()];
      for (int key = 0; key < shares.length; key++) {
        Elements.read(call.input(1), heads.key().at(batch, heads.keyHead(head), key), k, k.length);
        double sum = 0;
        for (int i = 0; i < q.length; i++) {
          sum += q[i] * k[i];
        }
        shares[key] = masked(sum * scale, batch, head, query, key);
      }
      double total = exponentials(shares);
      double[] mixed = new double[heads.valueSize()];
      double[] v = new double[heads.valueSize()];
      for (int key = 0; key < shares.length; key++) {
        Elements.read(call.input(2), heads.value().at(batch, heads.keyHead(head), key), v, v.length);
        for (int i = 0; i < v.length; i++) {
          mixed[i] += shares[key] * v[i];
        }
      }
      for (int i = 0; i < mixed.length; i++) {
        mixed[i] /= total;
      }
      Elements.write(mixed, call.output(0), heads.result().at(batch, head, query), mixed.length);
    }

    private double masked(double score, int batch, int head, int query, int key) {
      if (!masked) {
        return score;
      }
      TensorView of = call.input(3);
      long at = batch * mask.stride(0) + head * mask.stride(1) + query * mask.stride(2) + key * mask.stride(3);
      if (of.dtype() == DType.BOOL) {
        return of.longAt(at) != 0 ? score : Double.NEGATIVE_INFINITY;
      }
      return score + of.doubleAt(at);
    }

    /** Turns scores into {@code e^(score - max)} and returns their sum, which is 1 where all keys are masked. */
    private double exponentials(double[] scores) {
      double max = Arrays.stream(scores).max().orElse(Double.NEGATIVE_INFINITY);
      if (max == Double.NEGATIVE_INFINITY) {
        Arrays.fill(scores, ofNothing);
        return 1;
      }
      double sum = 0;
      for (int i = 0; i < scores.length; i++) {
        scores[i] = Math.exp(scores[i] - max);
        sum += scores[i];
      }
      return sum;
    }
  }
}
