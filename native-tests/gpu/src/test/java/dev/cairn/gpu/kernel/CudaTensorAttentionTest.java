package dev.cairn.gpu.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.attribute.AttentionHeads;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.cuda.attention.CudaAttention;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Attention of half types, which goes through tensor cores, against its portable twin. */
class CudaTensorAttentionTest {
  private static final List<DType> HALVES = List.of(DType.FLOAT16, DType.BFLOAT16);
  /** Sizes of heads for both kernels: below, at and above the multiples that fragments and copies of 16 bytes need. */
  private static final int[] SIZES = {1, 2, 7, 8, 15, 16, 24, 33, 64, 65, 72, 127, 128};
  private static final int[] ROWS = {1, 2, 8, 15, 16, 17, 31, 33, 63, 64, 65, 127, 128, 129, 200};
  private static final double[] ODD = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY};

  private final SplittableRandom random = new SplittableRandom(47);
  @AutoClose
  private final CudaTwins twins = CudaTwins.open();

  private TensorView tensor(DType dtype, long... extents) {
    return TestTensors.random(dtype, Shape.of(extents), random);
  }

  private int any(int[] of) {
    return of[random.nextInt(of.length)];
  }

  /** So many heads that each block takes many queries. */
  private int manyHeads() {
    return twins.loadedLikeTwo(2);
  }

  private static TensorType result(TensorView... inputs) {
    Shape q = inputs[0].shape();
    return TensorType.of(inputs[0].dtype(), q.extent(0), q.extent(1), q.extent(2), inputs[2].shape().extent(3));
  }

  private static long terms(TensorView... inputs) {
    return 8 * (inputs[0].shape().extent(-1) + inputs[2].shape().extent(-2));
  }

  private void check(Attributes attributes, TensorView... inputs) {
    twins.check("Attention", attributes, result(inputs), terms(inputs), inputs);
  }

  private Set<String> functions() {
    Set<String> names = new TreeSet<>();
    for (KernelLibrary.Asked asked : twins.library().asked()) {
      names.add(asked.function());
    }
    return names;
  }

  /** Each of the four kernels. */
  @Test
  void fewAndManyQueriesOfNarrowAndWideHeadsAreTheirTwins() {
    for (int heads : new int[] {1, manyHeads()}) {
      int queries = heads == 1 ? 18 : 66;
      for (int size : new int[] {24, 72}) {
        check(Attributes.NONE.with("is_causal", 1), tensor(DType.FLOAT16, 1, heads, queries, size), tensor(
          DType.FLOAT16, 1, heads, 70, size), tensor(DType.FLOAT16, 1, heads, 70, size));
      }
    }
    assertThat(functions()).containsExactly("tensor_attention_few_128", "tensor_attention_few_64",
      "tensor_attention_many_128", "tensor_attention_many_64");
  }

  @Test
  @Tag("long")
  void awkwardExtentsAreTheirTwins() {
    checkAwkwardExtents(12);
  }

  @Test
  @Tag("soak")
  void manyAwkwardExtentsAreTheirTwins() {
    checkAwkwardExtents(120);
  }

  private void checkAwkwardExtents(int rounds) {
    for (int round = 0; round < rounds; round++) {
      DType dtype = HALVES.get(round % 2);
      int keyHeads = round % 4 < 2 ? 1 : manyHeads();
      int heads = keyHeads * (1 + random.nextInt(2));
      int queries = any(ROWS);
      int keys = any(ROWS);
      int size = any(SIZES);
      check(Attributes.NONE.with("is_causal", random.nextInt(2)), tensor(dtype, 1, heads, queries, size), tensor(dtype,
        1, keyHeads, keys, size), tensor(dtype, 1, keyHeads, keys, any(SIZES)));
    }
    assertThat(functions()).containsExactly("tensor_attention_few_128", "tensor_attention_few_64",
      "tensor_attention_many_128", "tensor_attention_many_64");
  }

  @Test
  @Tag("long")
  void everyMaskIsItsTwin() {
    for (DType dtype : HALVES) {
      for (int heads : new int[] {1, manyHeads()}) {
        // Few keys: one tile and a part of the next, of which some warps have no keys. Many keys: likewise.
        int keys = heads == 1 ? 137 : 70;
        TensorView q = tensor(dtype, 1, heads, 18, 24);
        TensorView k = tensor(dtype, 1, heads, keys, 24);
        TensorView v = tensor(dtype, 1, heads, keys, 9);
        for (Shape mask : List.of(Shape.of(1, 1, 1, keys), Shape.of(heads, 18, keys), Shape.of(18, 1))) {
          check(Attributes.NONE.with("is_causal", random.nextInt(2)), q, k, v, TestTensors.random(dtype, mask, random));
          check(Attributes.NONE.with("scale", new AttributeValue.Real(0.5f)), q, k, v, TestTensors.random(DType.BOOL,
            mask, random));
        }
      }
    }
  }

  /** Rows of merged heads begin where sixteen bytes do not, and one of the sizes is odd. */
  @Test
  @Tag("long")
  void headsBesideEachOtherAreTheirTwins() {
    for (int[] sizes : new int[][] {{5, 3}, {12, 8}, {64, 64}, {8, 20}}) {
      Attributes heads = Attributes.NONE.with("q_num_heads", 4).with("kv_num_heads", 2);
      for (DType dtype : HALVES) {
        twins.check("Attention", heads, TensorType.of(dtype, 2, 19, 4L * sizes[1]), 8L * (sizes[0] + 70), tensor(dtype,
          2, 19, 4L * sizes[0]), tensor(dtype, 2, 70, 2L * sizes[0]), tensor(dtype, 2, 70, 2L * sizes[1]));
      }
    }
  }

  @Test
  @Tag("long")
  void greatScoresAndKeysThatNeverCountAreTheirTwins() {
    for (DType dtype : HALVES) {
      TensorView q = tensor(dtype, 1, 1, 3, 8);
      TensorView k = tensor(dtype, 1, 1, 200, 8);
      TensorView v = tensor(dtype, 1, 1, 200, 8);
      // The first row looks at one key of the last tile, the second at one of the first, the third at none.
      double[] counts = new double[3 * 200];
      counts[199] = 1;
      counts[200 + 3] = 1;
      check(Attributes.NONE, q, k, v, TestTensors.of(DType.BOOL, Shape.of(3, 200), counts));
      check(Attributes.NONE.with(AttentionHeads.NAN_WHEN_MASKED, 1), q, k, v, TestTensors.of(DType.BOOL, Shape.of(3,
        200), counts));
      double[] penalties = new double[3 * 200];
      for (int i = 0; i < penalties.length; i++) {
        penalties[i] = counts[i] == 1 ? 0 : Double.NEGATIVE_INFINITY;
      }
      check(Attributes.NONE, q, k, v, TestTensors.of(dtype, Shape.of(3, 200), penalties));
      check(Attributes.NONE.with("scale", new AttributeValue.Real(1e20f)), q, k, v);
    }
  }

  /** What exporters write instead of minus infinity: the least number, at all keys of a row. */
  @Test
  @Tag("long")
  void leastNumbersAreNoInfinities() {
    for (DType dtype : HALVES) {
      double least = dtype == DType.FLOAT16 ? -65504 : -0x1.fep127;
      double[] penalties = new double[2 * 70];
      for (int i = 0; i < penalties.length; i++) {
        penalties[i] = i < 100 ? least : 0;
      }
      check(Attributes.NONE, tensor(dtype, 1, 1, 2, 8), tensor(dtype, 1, 1, 70, 8), tensor(dtype, 1, 1, 70, 8),
        TestTensors.of(dtype, Shape.of(2, 70), penalties));
    }
  }

  /** Shares are divided by the sum of themselves as they were rounded, so that equal values stay what they are. */
  @Test
  @Tag("long")
  void theMeanOfEqualValuesIsThatValue() {
    for (DType dtype : HALVES) {
      double[] values = new double[200 * 16];
      for (int i = 0; i < values.length; i++) {
        values[i] = 1 + i % 16 / 16.0;
      }
      TensorView v = TestTensors.of(dtype, Shape.of(1, 1, 200, 16), values);
      TensorView q = tensor(dtype, 1, 1, 5, 16);
      TensorView k = tensor(dtype, 1, 1, 200, 16);
      TensorView y = twins.run("Attention", Attributes.NONE, List.of(result(q, k, v)), q, k, v).getFirst();
      for (int i = 0; i < y.elementCount(); i++) {
        assertThat(y.doubleAt(i)).isEqualTo(1 + i % 16 / 16.0);
      }
    }
  }

  /**
   * Keys and values behind a causal query do not count, whatever they hold; for those that look at them they do. A
   * block's last tile of keys is where some are behind: 64 wide for many queries and for wide heads, 128 for few.
   */
  @Test
  @Tag("long")
  void whatLiesBehindAQueryDoesNotCountEvenIfItIsNoNumber() {
    checkWhatLiesBehind(false);
  }

  @Test
  @Tag("soak")
  void whatLiesBehindAQueryDoesNotCountInEitherType() {
    checkWhatLiesBehind(true);
  }

  /** @param eachInBoth whether each case is checked in both types, or in one after the other */
  private void checkWhatLiesBehind(boolean eachInBoth) {
    // The keys: the first and the last one of a tile of either width, of a warp's queries, of its share of a tile, and
    // of all keys.
    int[] places = {1, 7, 8, 15, 16, 31, 32, 63, 64, 95, 127, 128, 143};
    int round = 0;
    for (int heads : new int[] {1, manyHeads()}) {
      for (int size : new int[] {5, 16, 64, 70, 128}) {
        for (boolean isKey : new boolean[] {true, false}) {
          for (DType dtype : eachInBoth ? HALVES : List.of(HALVES.get(round / 2 % 2))) {
            int at = places[round % places.length];
            // With many queries one block would be enough; with few, some places are behind all queries.
            int queries = heads == 1 ? 64 : at < 64 ? 67 : 144;
            TensorView k = tensor(dtype, 1, heads, 144, size);
            TensorView v = tensor(dtype, 1, heads, 144, size);
            double value = ODD[round % ODD.length];
            long index = ((heads - 1) * 144L + at) * size + round % size;
            check(Attributes.NONE.with("is_causal", 1), tensor(dtype, 1, heads, queries, size), isKey
              ? with(k, value, index)
              : k, isKey ? v : with(v, value, index));
            round++;
          }
        }
      }
    }
    assertThat(functions()).containsExactly("tensor_attention_few_128", "tensor_attention_few_64",
      "tensor_attention_many_128", "tensor_attention_many_64");
  }

  /** Several odd values at once, under masks, too: what a mask leaves out is multiplied by nothing, which shows. */
  @Test
  @Tag("long")
  void oddValuesAnywhereAreWhatTheirTwinsMakeOfThem() {
    for (int round = 0; round < 16; round++) {
      DType dtype = HALVES.get(round % 2);
      int heads = round % 4 < 2 ? 1 : manyHeads();
      int queries = any(ROWS);
      int keys = any(ROWS);
      int size = any(SIZES);
      TensorView q = tensor(dtype, 1, heads, queries, size);
      TensorView k = withSomeOdd(tensor(dtype, 1, heads, keys, size));
      TensorView v = withSomeOdd(tensor(dtype, 1, heads, keys, any(SIZES)));
      Attributes causal = Attributes.NONE.with("is_causal", round % 3 == 0 ? 0 : 1);
      Shape ofMask = round % 8 < 4 ? Shape.of(keys) : Shape.of(queries, keys);
      switch (round % 5) {
        case 0 -> check(causal, q, k, v, TestTensors.random(DType.BOOL, ofMask, random));
        case 1 -> check(causal, q, k, v, someOut(dtype, ofMask));
        default -> check(causal, q, k, v);
      }
    }
  }

  /** Added to scores: nothing, or now and then minus infinity. */
  private TensorView someOut(DType dtype, Shape shape) {
    double[] values = new double[(int) shape.elementCount()];
    for (int i = 0; i < values.length; i++) {
      values[i] = random.nextInt(8) == 0 ? Double.NEGATIVE_INFINITY : 0;
    }
    return TestTensors.of(dtype, shape, values);
  }

  private TensorView withSomeOdd(TensorView x) {
    long[] indexes = new long[1 + random.nextInt(2)];
    for (int i = 0; i < indexes.length; i++) {
      indexes[i] = random.nextLong(x.elementCount());
    }
    return with(x, ODD[random.nextInt(ODD.length)], indexes);
  }

  private static TensorView with(TensorView x, double value, long... indexes) {
    double[] values = new double[(int) x.elementCount()];
    for (int i = 0; i < values.length; i++) {
      values[i] = x.doubleAt(i);
    }
    for (long index : indexes) {
      values[(int) index] = value;
    }
    return TestTensors.of(x.dtype(), x.shape(), values);
  }

  @Test
  @Tag("long")
  void withoutKeysResultsAreZeroAndWithoutQueriesThereAreNone() {
    for (DType dtype : HALVES) {
      check(Attributes.NONE, tensor(dtype, 1, 2, 3, 5), tensor(dtype, 1, 2, 0, 5), tensor(dtype, 1, 2, 0, 4));
      check(Attributes.NONE, tensor(dtype, 1, 2, 0, 5), tensor(dtype, 1, 2, 3, 5), tensor(dtype, 1, 2, 3, 4));
    }
  }

  /** Older devices have the kernels of the other types, as have wide heads. */
  @Test
  @Tag("long")
  void halvesWithoutTensorCoresAreTheirTwins() {
    var plain = new KernelRow("Attention", KernelRow.Twin.CUDA, KernelRow.Decides.FIRST_INPUT, Set.copyOf(HALVES),
      new CudaAttention(twins.library(), false));
    for (DType dtype : HALVES) {
      for (int size : new int[] {7, 70}) {
        int heads = 6 * manyHeads();
        TensorView q = tensor(dtype, 1, heads, 35, size);
        TensorView k = tensor(dtype, 1, heads, 40, size);
        TensorView v = tensor(dtype, 1, heads, 40, size);
        twins.check(plain, Attributes.NONE.with("is_causal", 1), List.of(result(q, k, v)), terms(q, k, v), q, k, v);
      }
      check(Attributes.NONE, tensor(dtype, 1, 1, 5, 130), tensor(dtype, 1, 1, 6, 130), tensor(dtype, 1, 1, 6, 9));
      check(Attributes.NONE, tensor(dtype, 1, 1, 5, 9), tensor(dtype, 1, 1, 6, 9), tensor(dtype, 1, 1, 6, 256));
    }
    assertThat(functions()).containsExactly("attention_few_256", "attention_many_128", "attention_many_64");
  }

  @Test
  @Tag("long")
  void otherTypesStayWhereTheyAre() {
    for (DType dtype : List.of(DType.FLOAT32, DType.FLOAT64)) {
      check(Attributes.NONE, tensor(dtype, 1, 1, 5, 8), tensor(dtype, 1, 1, 6, 8), tensor(dtype, 1, 1, 6, 8));
    }
    assertThat(functions()).containsExactly("attention_few_64");
  }
}
