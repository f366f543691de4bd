package dev.cairn.kernels.cpu.attention;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.kernels.KernelRunner;
import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.Tolerance;
import dev.cairn.kernels.attribute.AttentionHeads;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.row.AttentionKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.testing.Rounds;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Attention against its definition, and its twins against each other. */
class AttentionTest implements Rounds {
  private static final List<DType> FLOATS = List.of(DType.FLOAT32, DType.FLOAT64, DType.FLOAT16, DType.BFLOAT16);
  private final SplittableRandom random = new SplittableRandom(41);

  private static TensorView run(Attributes attributes, TensorType output, @Nullable TensorView... inputs) {
    long terms = 8 * (Objects.requireNonNull(inputs[0]).shape().extent(-1) + Objects.requireNonNull(inputs[1]).shape()
      .extent(-2));
    return KernelRunner.checkTwins(AttentionKernels.ROWS, "Attention", attributes, List.of(output), terms, inputs)
      .getFirst();
  }

  private TensorView tensor(DType dtype, long... extents) {
    return TestTensors.random(dtype, Shape.of(extents), random);
  }

  /** Row by row, of operands {@code [batch,head,row,size]}. */
  private static double[] naive(TensorView q, TensorView k, TensorView v, double[][] added, double scale) {
    int batch = (int) q.shape().extent(0);
    int heads = (int) q.shape().extent(1);
    int queries = (int) q.shape().extent(2);
    int keys = (int) k.shape().extent(2);
    int size = (int) q.shape().extent(3);
    int valueSize = (int) v.shape().extent(3);
    int shared = heads / (int) k.shape().extent(1);
    double[] all = new double[batch * heads * queries * valueSize];
    for (int head = 0; head < batch * heads; head++) {
      int keyHead = head / heads * (heads / shared) + head % heads / shared;
      for (int i = 0; i < queries; i++) {
        double sum = 0;
        for (int j = 0; j < keys; j++) {
          double score = 0;
          for (int d = 0; d < size; d++) {
            score += q.doubleAt(((long) head * queries + i) * size + d) * k.doubleAt(((long) keyHead * keys + j) * size
              + d);
          }
          double share = Math.exp(score * scale + added[i][j]);
          sum += share;
          for (int d = 0; d < valueSize; d++) {
            all[(head * queries + i) * valueSize + d] += share * v.doubleAt(((long) keyHead * keys + j) * valueSize
              + d);
          }
        }
        for (int d = 0; d < valueSize; d++) {
          all[(head * queries + i) * valueSize + d] /= sum;
        }
      }
    }
    return all;
  }

  private static double[][] added(int queries, int keys, boolean causal) {
    double[][] all = new double[queries][keys];
    for (int i = 0; i < queries && causal; i++) {
      for (int j = i + 1; j < keys; j++) {
        all[i][j] = Double.NEGATIVE_INFINITY;
      }
    }
    return all;
  }

  @Test
  void awkwardExtentsAreAsDefined() {
    int[] extents = {1, 2, 5, 6, 7, 16, 17, 31, 33, 65};
    for (int round = 0; round < rounds(24); round++) {
      int shared = 1 + random.nextInt(2);
      int keyHeads = 1 + random.nextInt(2);
      int queries = extents[random.nextInt(extents.length)];
      int keys = extents[random.nextInt(extents.length)];
      int size = extents[random.nextInt(extents.length)];
      int valueSize = extents[random.nextInt(extents.length)];
      boolean causal = random.nextBoolean();
      TensorView q = tensor(DType.FLOAT32, 2, (long) shared * keyHeads, queries, size);
      TensorView k = tensor(DType.FLOAT32, 2, keyHeads, keys, size);
      TensorView v = tensor(DType.FLOAT32, 2, keyHeads, keys, valueSize);
      Attributes attributes = Attributes.NONE.with("is_causal", causal ? 1 : 0);
      TensorView y = run(attributes, TensorType.of(DType.FLOAT32, 2, (long) shared * keyHeads, queries, valueSize), q,
        k, v);
      Tolerance.of(DType.FLOAT32, 8L * (size + keys)).check("round " + round, naive(q, k, v, added(queries, keys,
        causal), (float) (1 / Math.sqrt(size))), y);
    }
  }

  @Test
  void everyTypeAndMaskIsItsTwin() {
    for (DType dtype : FLOATS) {
      TensorView q = tensor(dtype, 2, 3, 19, 12);
      TensorView k = tensor(dtype, 2, 3, 40, 12);
      TensorView v = tensor(dtype, 2, 3, 40, 20);
      TensorType output = TensorType.of(dtype, 2, 3, 19, 20);
      for (Shape mask : List.of(Shape.of(19, 40), Shape.of(2, 1, 1, 40), Shape.of(2, 3, 19, 40), Shape.of(3, 19, 1),
        Shape.SCALAR)) {
        TensorView penalty = TestTensors.random(dtype, mask, random);
        run(Attributes.NONE, output, q, k, v, penalty);
        run(Attributes.NONE.with("is_causal", 1).with("scale", new AttributeValue.Real(0.3f)), output, q, k, v,
          penalty);
        run(Attributes.NONE, output, q, k, v, TestTensors.random(DType.BOOL, mask.equals(Shape.SCALAR)
          ? Shape.of(40)
          : mask, random));
      }
    }
  }

  @Test
  void aMaskIsAddedOrLeavesOut() {
    TensorView q = tensor(DType.FLOAT64, 1, 1, 4, 3);
    TensorView k = tensor(DType.FLOAT64, 1, 1, 4, 3);
    TensorView v = tensor(DType.FLOAT64, 1, 1, 4, 2);
    TensorView counts = TestTensors.of(DType.BOOL, Shape.of(4, 4), 1, 0, 0, 0, 1, 1, 0, 0, 1, 1, 1, 0, 1, 1, 1, 1);
    double[] wanted = naive(q, k, v, added(4, 4, true), 2);
    Attributes twice = Attributes.NONE.with("scale", new AttributeValue.Real(2));
    TensorType output = TensorType.of(DType.FLOAT64, 1, 1, 4, 2);
    Tolerance close = Tolerance.of(DType.FLOAT64, 64);
    close.check("bool", wanted, run(twice, output, q, k, v, counts));
    close.check("causal", wanted, run(twice.with("is_causal", 1), output, q, k, v));
    double[] penalties = new double[16];
    for (int i = 0; i < 16; i++) {
      penalties[i] = counts.longAt(i) != 0 ? 0 : Double.NEGATIVE_INFINITY;
    }
    close.check("added", wanted, run(twice, output, q, k, v, TestTensors.of(DType.FLOAT64, Shape.of(4, 4),
      penalties)));
  }

  @Test
  void headsBesideEachOtherAreTheSameHeads() {
    TensorView q = tensor(DType.FLOAT32, 2, 7, 4 * 5);
    TensorView k = tensor(DType.FLOAT32, 2, 9, 2 * 5);
    TensorView v = tensor(DType.FLOAT32, 2, 9, 2 * 3);
    Attributes heads = Attributes.NONE.with("q_num_heads", 4).with("kv_num_heads", 2);
    TensorView merged = run(heads, TensorType.of(DType.FLOAT32, 2, 7, 4 * 3), q, k, v);
    TensorView apart = run(Attributes.NONE, TensorType.of(DType.FLOAT32, 2, 4, 7, 3), split(q, 4), split(k, 2), split(v,
      2));
    KernelRunner.checkBits("merged", apart, split(merged, 4));
  }

  /** {@code [batch,row,head*size]} to {@code [batch,head,row,size]}. */
  private static TensorView split(TensorView x, int heads) {
    int rows = (int) x.shape().extent(1);
    int size = (int) x.shape().extent(2) / heads;
    double[] values = new double[(int) x.elementCount()];
    int to = 0;
    for (int batch = 0; batch < x.shape().extent(0); batch++) {
      for (int head = 0; head < heads; head++) {
        for (int row = 0; row < rows; row++) {
          for (int i = 0; i < size; i++) {
            values[to++] = x.doubleAt((((long) batch * rows + row) * heads + head) * size + i);
          }
        }
      }
    }
    return TestTensors.of(x.dtype(), Shape.of(x.shape().extent(0), heads, rows, size), values);
  }

  @Test
  void longTextsTakeSeveralTasksAndPanels() {
    TensorView q = tensor(DType.FLOAT32, 1, 2, 130, 33);
    TensorView k = tensor(DType.FLOAT32, 1, 2, 530, 33);
    TensorView v = tensor(DType.FLOAT32, 1, 2, 530, 40);
    run(Attributes.NONE, TensorType.of(DType.FLOAT32, 1, 2, 130, 40), q, k, v);
    run(Attributes.NONE.with("is_causal", 1), TensorType.of(DType.FLOAT32, 1, 2, 130, 40), q, k, v);
  }

  @Test
  void hugeScoresDoNotOverflow() {
    TensorView q = TestTensors.of(DType.FLOAT32, Shape.of(1, 1, 1, 1), 1e19);
    TensorView k = TestTensors.of(DType.FLOAT32, Shape.of(1, 1, 3, 1), 1e19, -1e19, 1e19);
    TensorView v = TestTensors.of(DType.FLOAT32, Shape.of(1, 1, 3, 1), 1, 5, 2);
    assertEquals(1.5, run(Attributes.NONE, TensorType.of(DType.FLOAT32, 1, 1, 1, 1), q, k, v).doubleAt(0));
  }

  @Test
  void aQueryWhoseKeysAreAllMaskedIsZero() {
    for (DType dtype : List.of(DType.FLOAT32, DType.FLOAT64, DType.FLOAT16)) {
      TensorView q = tensor(dtype, 1, 1, 2, 4);
      TensorView k = tensor(dtype, 1, 1, 3, 4);
      TensorView v = tensor(dtype, 1, 1, 3, 2);
      TensorType type = TensorType.of(dtype, 1, 1, 2, 2);
      double least = Double.NEGATIVE_INFINITY;
      Shape all = Shape.of(2, 3);
      for (TensorView mask : List.of(TestTensors.of(DType.BOOL, all, 0, 0, 0, 0, 1, 0), TestTensors.of(dtype, all,
        least, least, least, least, 0, least))) {
        Tolerance.EXACT.check("all masked", new double[] {0, 0, v.doubleAt(2), v.doubleAt(3)}, run(Attributes.NONE,
          type, q, k, v, mask));
        TensorView nan = run(Attributes.NONE.with(AttentionHeads.NAN_WHEN_MASKED, 1), type, q, k, v, mask);
        Tolerance.EXACT.check("NaN", new double[] {Double.NaN, Double.NaN, v.doubleAt(2), v.doubleAt(3)}, nan);
      }
      // Scores that are NaN are not masked.
      TensorView odd = TestTensors.of(dtype, Shape.of(1, 1, 2, 4), Double.NaN, 0, 0, 0, 1, 1, 1, 1);
      assertTrue(Double.isNaN(run(Attributes.NONE, type, odd, k, v).doubleAt(0)));
    }
  }

  /** Keys and values behind a causal query do not count, whatever they hold; for those that look at them they do. */
  @Test
  void whatLiesBehindAQueryDoesNotCountEvenIfItIsNoNumber() {
    for (int length : new int[] {2, 9, 130, 300}) {
      for (double odd : new double[] {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY}) {
        for (int operand : new int[] {1, 2}) {
          TensorView[] inputs = {tensor(DType.FLOAT32, 1, 2, length, 5), tensor(DType.FLOAT32, 1, 2, length, 5), tensor(
            DType.FLOAT32, 1, 2, length, 5)};
          int at = random.nextInt(1, length);
          double[] values = new double[2 * length * 5];
          for (int i = 0; i < values.length; i++) {
            values[i] = inputs[operand].doubleAt(i);
          }
          values[at * 5 + 3] = odd;
          TensorType type = TensorType.of(DType.FLOAT32, 1, 2, length, 5);
          Attributes causal = Attributes.NONE.with("is_causal", 1);
          TensorView before = run(causal, type, inputs);
          inputs[operand] = TestTensors.of(DType.FLOAT32, inputs[operand].shape(), values);
          TensorView after = run(causal, type, inputs);
          for (int i = 0; i < at * 5; i++) {
            assertEquals(before.doubleAt(i), after.doubleAt(i), "length=%d at=%d element=%d".formatted(length, at, i));
          }
          assertTrue(operand == 1 || !Double.isFinite(after.doubleAt(at * 5 + 3)));
        }
      }
    }
  }

  @Test
  void withoutKeysResultsAreZeroAndWithoutQueriesThereAreNone() {
    TensorView y = run(Attributes.NONE, TensorType.of(DType.FLOAT32, 1, 2, 3, 4), tensor(DType.FLOAT32, 1, 2, 3, 5),
      tensor(DType.FLOAT32, 1, 2, 0, 5), tensor(DType.FLOAT32, 1, 2, 0, 4));
    Tolerance.EXACT.check("no keys", new double[24], y);
    run(Attributes.NONE, TensorType.of(DType.FLOAT32, 1, 2, 0, 4), tensor(DType.FLOAT32, 1, 2, 0, 5), tensor(
      DType.FLOAT32, 1, 2, 3, 5), tensor(DType.FLOAT32, 1, 2, 3, 4));
  }

  @Test
  void cachesAreKeysAndValuesBeforeTheOthers() {
    TensorView q = tensor(DType.FLOAT32, 2, 4, 3, 5);
    TensorView k = tensor(DType.FLOAT32, 2, 2, 6, 5);
    TensorView v = tensor(DType.FLOAT32, 2, 2, 6, 7);
    List<TensorType> types = List.of(TensorType.of(DType.FLOAT32, 2, 4, 3, 7), k.type(), v.type());
    // The last query sees all keys; without a cache the first query stands at the first key.
    TensorView bottomRight = TestTensors.of(DType.BOOL, Shape.of(3, 6), 1, 1, 1, 1, 0, 0, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1,
      1, 1);
    TensorView wanted = run(Attributes.NONE, types.get(0), q, k, v, bottomRight);
    Attributes causal = Attributes.NONE.with("is_causal", 1);
    List<TensorView> given = KernelRunner.checkTwins(AttentionKernels.ROWS, "Attention", causal, types, 64, q,
      rows(k, 3,
        6),
      rows(v, 3, 6), null, rows(k, 0, 3), rows(v, 0, 3));
    KernelRunner.checkBits("result", wanted, given.get(0));
    KernelRunner.checkBits("keys", k, given.get(1));
    KernelRunner.checkBits("values", v, given.get(2));
    TensorView lengths = TestTensors.ofLongs(DType.INT64, Shape.of(2), 6, 6);
    KernelRunner.checkBits("lengths", wanted, run(causal, types.get(0), q, k, v, null, null, null, lengths));
  }

  /** Some rows of each head of {@code [batch,head,row,size]}. */
  private static TensorView rows(TensorView x, int first, int end) {
    long[] extents = x.shape().extents();
    double[] values = new double[(int) (extents[0] * extents[1] * (end - first) * extents[3])];
    int to = 0;
    for (long head = 0; head < extents[0] * extents[1]; head++) {
      for (long i = first * extents[3]; i < end * extents[3]; i++) {
        values[to++] = x.doubleAt(head * extents[2] * extents[3] + i);
      }
    }
    return TestTensors.of(x.dtype(), x.shape().with(2, end - first), values);
  }

  @Test
  void keysBeyondAMaskALengthOrAWindowDoNotCount() {
    TensorView q = tensor(DType.FLOAT64, 1, 1, 2, 3);
    TensorView k = tensor(DType.FLOAT64, 1, 1, 4, 3);
    TensorView v = tensor(DType.FLOAT64, 1, 1, 4, 2);
    TensorType type = TensorType.of(DType.FLOAT64, 1, 1, 2, 2);
    TensorView two = run(Attributes.NONE, type, q, rows(k, 0, 2), rows(v, 0, 2));
    KernelRunner.checkBits("short mask", two, run(Attributes.NONE, type, q, k, v, TestTensors.of(DType.BOOL, Shape.of(
      2, 2), 1, 1, 1, 1)));
    KernelRunner.checkBits("length", two, run(Attributes.NONE, type, q, k, v, null, null, null, TestTensors.ofLongs(
      DType.INT64, Shape.of(1), 2)));
    TensorView band = TestTensors.of(DType.BOOL, Shape.of(2, 4), 1, 1, 0, 0, 0, 1, 1, 0);
    KernelRunner.checkBits("window", run(Attributes.NONE, type, q, k, v, band), run(Attributes.NONE.with(
      "left_window_size", 0).with("right_window_size", 1), type, q, k, v));
  }

  @Test
  void scoresAreAResultAtEachStage() {
    TensorView q = TestTensors.of(DType.FLOAT64, Shape.of(1, 1, 1, 1), 2);
    TensorView k = TestTensors.of(DType.FLOAT64, Shape.of(1, 1, 3, 1), 1, 2, 3);
    TensorView mask = TestTensors.of(DType.FLOAT64, Shape.of(1, 3), 0, 0.5, Double.NEGATIVE_INFINITY);
    List<TensorType> types = List.of(q.type(), k.type(), k.type(), k.type());
    double[] capped = {2 * Math.tanh(1), 2 * Math.tanh(2), 2 * Math.tanh(3)};
    double share = 1 / (1 + Math.exp(capped[1] + 0.5 - capped[0]));
    double[][] wanted = {{2, 4, 6}, capped, {capped[0], capped[1] + 0.5, Double.NEGATIVE_INFINITY}, {share, 1 - share,
      0}};
    for (int mode = 0; mode < wanted.length; mode++) {
      Attributes attributes = Attributes.NONE.with("qk_matmul_output_mode", mode).with("softcap",
        new AttributeValue.Real(2));
      List<TensorView> given = KernelRunner.checkTwins(AttentionKernels.ROWS, "Attention", attributes, types, 1, q, k,
        k,
        mask);
      Tolerance.of(DType.FLOAT64, 8).check("mode " + mode, wanted[mode], given.get(3));
    }
  }

  @Test
  void operandsThatDoNotFitAreRefused() {
    List<List<Shape>> wrong = List.of(
      List.of(Shape.of(2, 3), Shape.of(2, 3), Shape.of(2, 3)),
      List.of(Shape.of(1, 3, 4, 5), Shape.of(1, 2, 4, 5), Shape.of(1, 2, 4, 5)),
      List.of(Shape.of(1, 2, 4, 5), Shape.of(1, 2, 4, 6), Shape.of(1, 2, 4, 5)),
      List.of(Shape.of(1, 2, 4, 5), Shape.of(1, 2, 4, 5), Shape.of(1, 2, 3, 5)),
      List.of(Shape.of(2, 2, 4, 5), Shape.of(1, 2, 4, 5), Shape.of(1, 2, 4, 5)),
      List.of(Shape.of(1, 4, 10), Shape.of(1, 4, 10), Shape.of(1, 4, 10)));
    for (List<Shape> shapes : wrong) {
      assertThrows(IllegalArgumentException.class, () -> AttentionHeads.of(Attributes.NONE, shapes.get(0), shapes.get(
        1), shapes.get(2)), shapes.toString());
    }
    Attributes three = Attributes.NONE.with("q_num_heads", 3).with("kv_num_heads", 3);
    assertThrows(IllegalArgumentException.class, () -> AttentionHeads.of(three, Shape.of(1, 4, 10), Shape.of(1, 4, 10),
      Shape.of(1, 4, 10)));
  }
}
