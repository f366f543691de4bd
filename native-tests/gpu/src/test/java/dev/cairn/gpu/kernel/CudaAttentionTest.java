package dev.cairn.gpu.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.KernelRunner;
import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.attribute.AttentionHeads;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Attention on CUDA against its portable twin. */
class CudaAttentionTest {
  private static CudaTwins twins;
  private final SplittableRandom random = new SplittableRandom(43);

  @BeforeAll
  static void open() {
    twins = CudaTwins.open();
  }

  @AfterAll
  static void close() {
    if (twins != null) {
      twins.close();
    }
  }

  private TensorView tensor(DType dtype, long... extents) {
    return TestTensors.random(dtype, Shape.of(extents), random);
  }

  private static void check(Attributes attributes, TensorView... inputs) {
    Shape q = inputs[0].shape();
    Shape v = inputs[2].shape();
    long terms = 8 * (q.extent(-1) + v.extent(-2));
    twins.check("Attention", attributes, TensorType.of(inputs[0].dtype(), q.extent(0), q.extent(1), q.extent(2), v
      .extent(3)), terms, inputs);
  }

  @Test
  void awkwardExtentsAreTheirTwins() {
    int[] extents = {1, 2, 15, 16, 17, 31, 33, 65};
    for (int round = 0; round < 12; round++) {
      int keyHeads = 1 + random.nextInt(2);
      int heads = keyHeads * (1 + random.nextInt(2));
      int queries = extents[random.nextInt(extents.length)];
      int keys = extents[random.nextInt(extents.length)];
      int size = extents[random.nextInt(extents.length)];
      int valueSize = extents[random.nextInt(extents.length)];
      check(Attributes.NONE.with("is_causal", random.nextInt(2)), tensor(DType.FLOAT32, 1, heads, queries, size),
        tensor(DType.FLOAT32, 1, keyHeads, keys, size), tensor(DType.FLOAT32, 1, keyHeads, keys, valueSize));
    }
  }

  @Test
  void everyMaskIsItsTwin() {
    checkMasks(CudaTwins.FIRST);
  }

  @Test
  @Tag("long")
  void everyMaskIsItsTwinInOtherTypes() {
    checkMasks(List.of(DType.FLOAT64, DType.FLOAT16, DType.BFLOAT16));
  }

  private void checkMasks(List<DType> dtypes) {
    for (DType dtype : dtypes) {
      TensorView q = tensor(dtype, 2, 2, 18, 12);
      TensorView k = tensor(dtype, 2, 2, 37, 12);
      TensorView v = tensor(dtype, 2, 2, 37, 9);
      for (Shape mask : List.of(Shape.of(2, 1, 1, 37), Shape.of(2, 18, 37), Shape.of(18, 1))) {
        check(Attributes.NONE.with("is_causal", random.nextInt(2)), q, k, v, TestTensors.random(dtype, mask, random));
        check(Attributes.NONE.with("scale", new AttributeValue.Real(0.5f)), q, k, v, TestTensors.random(DType.BOOL,
          mask, random));
      }
    }
  }

  @Test
  void wideHeadsAreTheirTwins() {
    for (int size : new int[] {66, 128, 130, 256}) {
      check(Attributes.NONE, tensor(DType.FLOAT32, 1, 1, 17, size), tensor(DType.FLOAT32, 1, 1, 34, size), tensor(
        DType.FLOAT32, 1, 1, 34, size - 1));
    }
  }

  @Test
  @Tag("long")
  void wideHeadsAreTheirTwinsInOtherTypes() {
    for (int size : new int[] {66, 128, 130, 256}) {
      check(Attributes.NONE, tensor(DType.FLOAT16, 1, 1, 5, size), tensor(DType.FLOAT16, 1, 1, 6, size), tensor(
        DType.FLOAT16, 1, 1, 6, size));
    }
    check(Attributes.NONE, tensor(DType.FLOAT64, 1, 1, 17, 128), tensor(DType.FLOAT64, 1, 1, 34, 128), tensor(
      DType.FLOAT64, 1, 1, 34, 128));
  }

  @Test
  void manyHeadsAreTheirTwins() {
    checkManyHeads(DType.FLOAT32, 7);
    checkManyHeads(DType.FLOAT32, 70);
  }

  @Test
  @Tag("long")
  void manyHeadsAreTheirTwinsInOtherTypes() {
    checkManyHeads(DType.FLOAT64, 7);
    checkManyHeads(DType.BFLOAT16, 70);
  }

  /** Checks so many heads that one block takes many queries of a head. */
  private void checkManyHeads(DType dtype, int size) {
    int heads = twins.loadedLikeTwo(12);
    check(Attributes.NONE.with("is_causal", 1), tensor(dtype, 1, heads, 35, size), tensor(dtype, 1, heads, 35, size),
      tensor(dtype, 1, heads, 35, size));
  }

  @Test
  void headsBesideEachOtherAreTheirTwins() {
    Attributes heads = Attributes.NONE.with("q_num_heads", 4).with("kv_num_heads", 2);
    TensorView q = tensor(DType.FLOAT32, 2, 19, 4 * 5);
    TensorView k = tensor(DType.FLOAT32, 2, 40, 2 * 5);
    TensorView v = tensor(DType.FLOAT32, 2, 40, 2 * 3);
    twins.check("Attention", heads, TensorType.of(DType.FLOAT32, 2, 19, 4 * 3), 8 * 45, q, k, v);
  }

  @Test
  void greatScoresAndKeysThatNeverCountAreTheirTwins() {
    TensorView q = tensor(DType.FLOAT32, 1, 1, 3, 4);
    TensorView k = tensor(DType.FLOAT32, 1, 1, 70, 4);
    TensorView v = tensor(DType.FLOAT32, 1, 1, 70, 4);
    double[] counts = new double[3 * 70];
    counts[69] = 1;
    counts[70 + 3] = 1;
    TensorView few = TestTensors.of(DType.BOOL, Shape.of(3, 70), counts);
    check(Attributes.NONE, q, k, v, few);
    check(Attributes.NONE.with(AttentionHeads.NAN_WHEN_MASKED, 1), q, k, v, few);
    check(Attributes.NONE.with("scale", new AttributeValue.Real(1e20f)), q, k, v);
    double[] penalties = new double[70];
    Arrays.fill(penalties, -Float.MAX_VALUE);
    check(Attributes.NONE, q, k, v, TestTensors.of(DType.FLOAT32, Shape.of(70), penalties));
  }

  /** Keys and values behind a causal query do not count, whatever they hold; for those that look at them they do. */
  @Test
  @Tag("long")
  void whatLiesBehindAQueryDoesNotCountEvenIfItIsNoNumber() {
    double[] odd = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY};
    int round = 0;
    for (DType dtype : List.of(DType.FLOAT32, DType.FLOAT64, DType.FLOAT16)) {
      for (int size : new int[] {5, 70, 130}) {
        for (int heads : new int[] {1, dtype == DType.FLOAT32 ? 12 : 1}) {
          if (size > 128 && dtype == DType.FLOAT64) {
            continue;
          }
          int length = 67;
          TensorView q = tensor(dtype, 1, heads, length, size);
          for (boolean isKey : new boolean[] {true, false}) {
            TensorView k = tensor(dtype, 1, heads, length, size);
            TensorView v = tensor(dtype, 1, heads, length, size);
            int at = new int[] {1, 15, 16, 31, 33, 66}[round % 6];
            Shape shape = k.shape();
            double[] values = new double[(int) shape.elementCount()];
            TensorView from = isKey ? k : v;
            for (int i = 0; i < values.length; i++) {
              values[i] = from.doubleAt(i);
            }
            values[(heads - 1) * length * size + at * size + round % size] = odd[round % 3];
            TensorView with = TestTensors.of(dtype, shape, values);
            check(Attributes.NONE.with("is_causal", 1), q, isKey ? with : k, isKey ? v : with);
            round++;
          }
        }
      }
    }
  }

  @Test
  void withoutKeysResultsAreZeroAndWithoutQueriesThereAreNone() {
    check(Attributes.NONE, tensor(DType.FLOAT32, 1, 2, 3, 5), tensor(DType.FLOAT32, 1, 2, 0, 5), tensor(DType.FLOAT32,
      1, 2, 0, 4));
    check(Attributes.NONE, tensor(DType.FLOAT32, 1, 2, 0, 5), tensor(DType.FLOAT32, 1, 2, 3, 5), tensor(DType.FLOAT32,
      1, 2, 3, 4));
  }

  @Test
  void widerHeadsThanThereIsRoomForHaveNoKernel() {
    TensorView x = tensor(DType.FLOAT32, 1, 1, 2, 257);
    assertThat(twins.serves("Attention", KernelRunner.signature(Attributes.NONE, List.of(x.type()), x, x, x)))
      .isFalse();
  }
}
