package dev.cairn.kernels.cpu.attention;

import dev.cairn.kernels.attribute.AttentionHeads;
import dev.cairn.kernels.attribute.AttentionHeads.Rows;
import dev.cairn.kernels.attribute.AttentionWindow;
import dev.cairn.kernels.attribute.ScoreForm;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Layout;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.util.Arrays;

/**
 * {@code AttentionGradient(h, query, key, value, mask?)}: the gradients of queries, keys and values of an {@code
 * Attention}, from the gradient {@code h} of its result. Scores are computed again, a row at a time. With shares p of a
 * query:
 *
 * <pre>
 * d = h value;  s = p (d - sum p d);  query: scale s key;  key: scale s query;  value: p h
 * </pre>
 *
 * One thread takes a head of keys, with all the heads of queries that use it, in order. Rows whose keys are all masked
 * give nothing.
 */
public final class CpuAttentionGradient implements Kernel {

  @Override
  public void run(KernelCall call) {
    AttentionHeads heads = AttentionHeads.of(call.attributes(), call.input(1).shape(), call.input(2).shape(),
      call.input(
        3).shape());
    CpuStream.of(call).parallel((long) heads.batch() * heads.keyHeads(), 1, (first, end) -> {
      var work = new HeadOfKeys(call, heads);
      for (long head = first; head < end; head++) {
        work.compute((int) (head / heads.keyHeads()), (int) (head % heads.keyHeads()));
      }
    });
  }

  /** The work of one thread on one head of keys at a time. */
  private static final class HeadOfKeys {
    private final KernelCall call;
    private final AttentionHeads heads;
    private final AttentionWindow window;
    private final double scale;
    private final double cap;
    private final Layout mask;
    private final int maskedKeys;
    private final double[][] keys;
    private final double[][] values;
    private final double[][] ofKeys;
    private final double[][] ofValues;
    private final double[] query;
    private final double[] ofQuery;
    private final double[] head;
    private final double[] shares;
    private final double[] slopes;
    private final double[] dots;

    HeadOfKeys(KernelCall call, AttentionHeads heads) {
      this.call = call;
      this.heads = heads;
      this.window = AttentionWindow.of(call.attributes());
      this.scale = heads.scale(call.attributes());
      this.cap = ScoreForm.of(call.attributes()).cap();
      Shape shape = call.has(4) ? call.input(4).shape() : Shape.SCALAR;
      this.mask = heads.mask(shape);
      this.maskedKeys = heads.maskedKeys(shape);
      this.keys = new double[heads.keys()][heads.size()];
      this.values = new double[heads.keys()][heads.valueSize()];
      this.ofKeys = new double[heads.keys()][heads.size()];
      this.ofValues = new double[heads.keys()][heads.valueSize()];
      this.query = new double[heads.size()];
      this.ofQuery = new double[heads.size()];
      this.head = new double[heads.valueSize()];
      this.shares = new double[heads.keys()];
      this.slopes = new double[heads.keys()];
      this.dots = new double[heads.keys()];
    }

    void compute(int batch, int keyHead) {
      for (int key = 0; key < heads.keys(); key++) {
        Elements.read(call.input(2), heads.key().at(batch, keyHead, key), keys[key], heads.size());
        Elements.read(call.input(3), heads.value().at(batch, keyHead, key), values[key], heads.valueSize());
        Arrays.fill(ofKeys[key], 0);
        Arrays.fill(ofValues[key], 0);
      }
      int group = heads.heads() / heads.keyHeads();
      for (int of = keyHead * group; of < (keyHead + 1) * group; of++) {
        for (int row = 0; row < heads.queries(); row++) {
          row(batch, of, row);
        }
      }
      for (int key = 0; key < heads.keys(); key++) {
        write(1, heads.key(), batch, keyHead, key, ofKeys[key]);
        write(2, heads.value(), batch, keyHead, key, ofValues[key]);
      }
    }

    private void write(int output, Rows rows, int batch, int of, int row, double[] from) {
      Elements.write(from, call.output(output), rows.at(batch, of, row), from.length);
    }

    private void row(int batch, int of, int row) {
      Elements.read(call.input(1), heads.query().at(batch, of, row), query, query.length);
      Elements.read(call.input(0), heads.result().at(batch, of, row), head, head.length);
      Arrays.fill(ofQuery, 0);
      int first = window.first(row, 0, heads.keys());
      int end = Math.min(maskedKeys, window.end(row, 0, heads.keys()));
      if (share(batch, of, row, first, end)) {
        double mean = 0;
        for (int key = first; key < end; key++) {
          dots[key] = product(head, values[key]);
          mean += shares[key] * dots[key];
        }
        for (int key = first; key < end; key++) {
          double slope = shares[key] * (dots[key] - mean) * slopes[key] * scale;
          add(ofQuery, slope, keys[key]);
          add(ofKeys[key], slope, query);
          add(ofValues[key], shares[key], head);
        }
      }
      write(0, heads.query(), batch, of, row, ofQuery);
    }

    /** Computes a row's shares, and the slopes of the cap; false if all keys are masked. */
    private boolean share(int batch, int of, int row, int first, int end) {
      double most = Double.NEGATIVE_INFINITY;
      for (int key = first; key < end; key++) {
        double score = product(query, keys[key]) * scale;
        double bent = cap == 0 ? score : cap * Math.tanh(score / cap);
        slopes[key] = cap == 0 ? 1 : 1 - bent / cap * (bent / cap);
        shares[key] = masked(bent, batch, of, row, key);
        most = Math.max(most, shares[key]);
      }
      double sum = 0;
      for (int key = first; key < end && most != Double.NEGATIVE_INFINITY; key++) {
        shares[key] = Math.exp(shares[key] - most);
        sum += shares[key];
      }
      for (int key = first; key < end; key++) {
        shares[key] /= sum;
      }
      return most != Double.NEGATIVE_INFINITY;
    }

    private double masked(double score, int batch, int of, int row, int key) {
      if (!call.has(4)) {
        return score;
      }
      TensorView given = call.input(4);
      long at = batch * mask.stride(0) + of * mask.stride(1) + row * mask.stride(2) + key * mask.stride(3);
      if (given.dtype() == DType.BOOL) {
        return given.longAt(at) != 0 ? score : Double.NEGATIVE_INFINITY;
      }
      return score + given.doubleAt(at);
    }

    private static double product(double[] a, double[] b) {
      double sum = 0;
      for (int i = 0; i < a.length; i++) {
        sum += a[i] * b[i];
      }
      return sum;
    }

    private static void add(double[] to, double factor, double[] from) {
      for (int i = 0; i < to.length; i++) {
        to[i] += factor * from[i];
      }
    }
  }
}
