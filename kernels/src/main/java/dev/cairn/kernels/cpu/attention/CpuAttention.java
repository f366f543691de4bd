package dev.cairn.kernels.cpu.attention;

import dev.cairn.kernels.attribute.AttentionHeads;
import dev.cairn.kernels.attribute.AttentionHeads.Rows;
import dev.cairn.kernels.attribute.AttentionWindow;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.ScoreForm;
import dev.cairn.kernels.catalog.AttentionForm;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Layout;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.util.Arrays;

/**
 * {@code Attention(query, key, value, mask?, keyCache?, valueCache?, lengths?)}: each query's mean of the values,
 * weighted by the softmax of its scaled products with the keys. A cap bends scores first; then a mask is added, or
 * selects the scores that count. Keys outside of a query's window do not count, nor do their values, even if these are
 * no numbers. Computed in {@code double}, a row at a time. If all keys of a query are masked, its shares are 0, and so
 * is its result; or NaN if an attribute says so.
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
    for (int output = 1; output < Math.min(3, call.outputCount()); output++) {
      row.copyPresent(output);
    }
  }

  /** The facts that all rows of a call have in common. */
  private static final class Call {
    final AttentionHeads heads;
    private final KernelCall call;
    private final AttentionWindow window;
    private final double scale;
    private final double cap;
    private final int scoresAfter;
    /** Each share of a query whose keys are all masked. */
    private final double ofNothing;
    private final boolean masked;
    private final int maskedKeys;
    private final Layout mask;

    Call(KernelCall call) {
      this.call = call;
      this.heads = AttentionForm.heads(KernelSignature.of(call));
      Attributes attributes = call.attributes();
      this.window = AttentionWindow.of(attributes);
      this.scale = heads.scale(attributes);
      this.cap = ScoreForm.of(attributes).cap();
      this.scoresAfter = call.outputCount() > 3 ? Math.toIntExact(ScoreForm.of(attributes).result()) : -1;
      this.ofNothing = AttentionHeads.isNanWhenMasked(attributes) ? Double.NaN : 0;
      this.masked = call.has(3);
      Shape shape = masked ? call.input(3).shape() : Shape.SCALAR;
      this.maskedKeys = heads.maskedKeys(shape);
      this.mask = heads.mask(shape);
    }

    void compute(int batch, int head, int query) {
      int length = heads.keys();
      int offset = heads.past();
      if (call.has(6)) {
        length = Math.clamp(call.input(6).longAt(batch), 0, heads.keys());
        offset = length - heads.queries();
      }
      int first = window.first(query, offset, length);
      int end = Math.min(maskedKeys, window.end(query, offset, length));
      double[] shares = scores(batch, head, query, scoresAfter >= 0 ? 0 : first, scoresAfter >= 0 ? heads.keys() : end);
      long at = (((long) batch * heads.heads() + head) * heads.queries() + query) * heads.keys();
      write(shares, 0, at);
      for (int key = 0; key < shares.length && cap != 0; key++) {
        shares[key] = cap * Math.tanh(shares[key] / cap);
      }
      write(shares, 1, at);
      for (int key = 0; key < shares.length; key++) {
        shares[key] = key < first || key >= end
          ? Double.NEGATIVE_INFINITY
          : masked(shares[key], batch, head, query,
            key);
      }
      write(shares, 2, at);
      double total = exponentials(shares, first, end);
      for (int key = 0; key < shares.length; key++) {
        shares[key] = key < first || key >= end ? 0 : shares[key] / total;
      }
      write(shares, 3, at);
      double[] mixed = new double[heads.valueSize()];
      double[] v = new double[heads.valueSize()];
      for (int key = first; key < end; key++) {
        read(2, batch, heads.keyHead(head), key, v);
        for (int i = 0; i < v.length; i++) {
          mixed[i] += shares[key] * v[i];
        }
      }
      Elements.write(mixed, call.output(0), heads.result().at(batch, head, query), mixed.length);
    }

    /** The scaled products with keys {@code [first, end)}, at their places. */
    private double[] scores(int batch, int head, int query, int first, int end) {
      double[] scores = new double[Math.max(first, end)];
      double[] q = new double[heads.size()];
      Elements.read(call.input(0), heads.query().at(batch, head, query), q, q.length);
      double[] k = new double[heads.size()];
      for (int key = first; key < end; key++) {
        read(1, batch, heads.keyHead(head), key, k);
        double sum = 0;
        for (int i = 0; i < q.length; i++) {
          sum += q[i] * k[i];
        }
        scores[key] = sum * scale;
      }
      return scores;
    }

    private void write(double[] scores, int after, long at) {
      if (after == scoresAfter) {
        Elements.write(scores, call.output(3), at, scores.length);
      }
    }

    /** Reads a key or value, of the cache or after it. */
    private void read(int operand, int batch, int head, int key, double[] to) {
      if (key < heads.past()) {
        long row = ((long) batch * heads.keyHeads() + head) * heads.past() + key;
        Elements.read(call.input(operand + 3), row * to.length, to, to.length);
      } else {
        Rows rows = operand == 1 ? heads.key() : heads.value();
        Elements.read(call.input(operand), rows.at(batch, head, key - heads.past()), to, to.length);
      }
    }

    /** Writes the cache of keys (output 1) or values (output 2) with the new ones after the old ones. */
    void copyPresent(int output) {
      double[] row = new double[output == 1 ? heads.size() : heads.valueSize()];
      long at = 0;
      for (int head = 0; head < heads.batch() * heads.keyHeads(); head++) {
        for (int key = 0; key < heads.keys(); key++) {
          read(output, head / heads.keyHeads(), head % heads.keyHeads(), key, row);
          Elements.write(row, call.output(output), at, row.length);
          at += row.length;
        }
      }
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

    /** Turns scores into {@code e^(score - max)} and returns their sum, which is 1 if all keys are masked. */
    private double exponentials(double[] scores, int first, int end) {
      double max = Double.NEGATIVE_INFINITY;
      for (int key = first; key < end; key++) {
        max = Math.max(max, scores[key]);
      }
      if (max == Double.NEGATIVE_INFINITY) {
        Arrays.fill(scores, ofNothing);
        return 1;
      }
      double sum = 0;
      for (int i = first; i < end; i++) {
        scores[i] = Math.exp(scores[i] - max);
        sum += scores[i];
      }
      return sum;
    }
  }
}
