package dev.cairn.gpu.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.KernelRunner;
import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.attribute.AttentionHeads;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The gradient of attention on CUDA against its portable twin. */
class CudaAttentionGradientTest {
  private static final List<DType> FLOATS = List.of(DType.FLOAT32, DType.FLOAT64, DType.FLOAT16, DType.BFLOAT16);
  private static CudaTwins twins;
  private final SplittableRandom random = new SplittableRandom(59);

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

  /** Checks with operands query, key, value and perhaps a mask, and a random gradient of the result. */
  private void check(Attributes attributes, TensorView... operands) {
    AttentionHeads heads = AttentionHeads.of(attributes, operands[0].shape(), operands[1].shape(), operands[2].shape());
    List<TensorView> inputs = new ArrayList<>(List.of(operands));
    inputs.addFirst(TestTensors.random(operands[0].dtype(), heads.resultShape(), random));
    long terms = 16L * (heads.size() + heads.valueSize() + heads.keys() + (long) heads.heads() * heads.queries());
    twins.checkAll("AttentionGradient", attributes, Stream.of(operands).limit(3).map(TensorView::type).toList(), terms,
      inputs.toArray(TensorView[]::new));
  }

  @Test
  void awkwardExtentsAreTheirTwins() {
    int[] extents = {1, 2, 7, 8, 9, 15, 16, 17, 33};
    for (int round = 0; round < 16; round++) {
      int keyHeads = 1 + random.nextInt(2);
      int heads = keyHeads * (1 + random.nextInt(2));
      int queries = extents[random.nextInt(extents.length)];
      int keys = extents[random.nextInt(extents.length)];
      int size = extents[random.nextInt(extents.length)];
      int valueSize = extents[random.nextInt(extents.length)];
      check(Attributes.NONE.with("is_causal", random.nextInt(2)), tensor(DType.FLOAT32, 2, heads, queries, size),
        tensor(DType.FLOAT32, 2, keyHeads, keys, size), tensor(DType.FLOAT32, 2, keyHeads, keys, valueSize));
    }
  }

  @Test
  void everyMaskIsItsTwin() {
    checkMasks(CudaTwins.FIRST);
  }

  @Test
  @Tag("long")
  void everyMaskIsItsTwinInOtherTypes() {
    checkMasks(CudaTwins.others(FLOATS));
  }

  private void checkMasks(List<DType> dtypes) {
    for (DType dtype : dtypes) {
      TensorView q = tensor(dtype, 2, 2, 18, 12);
      TensorView k = tensor(dtype, 2, 2, 21, 12);
      TensorView v = tensor(dtype, 2, 2, 21, 9);
      for (Shape mask : List.of(Shape.of(2, 1, 1, 21), Shape.of(2, 18, 21), Shape.of(18, 1))) {
        check(Attributes.NONE.with("is_causal", random.nextInt(2)), q, k, v, TestTensors.random(dtype, mask, random));
        check(Attributes.NONE.with("scale", new AttributeValue.Real(0.5f)), q, k, v, TestTensors.random(DType.BOOL,
          mask, random));
      }
    }
  }

  @Test
  void wideHeadsAreTheirTwins() {
    for (int size : new int[] {66, 128, 130, 256}) {
      check(Attributes.NONE, tensor(DType.FLOAT32, 1, 1, 17, size), tensor(DType.FLOAT32, 1, 1, 18, size), tensor(
        DType.FLOAT32, 1, 1, 18, size - 1));
    }
  }

  @Test
  @Tag("long")
  void wideHeadsAreTheirTwinsInOtherTypes() {
    for (int size : new int[] {66, 128, 130, 256}) {
      check(Attributes.NONE, tensor(DType.BFLOAT16, 1, 1, 5, size), tensor(DType.BFLOAT16, 1, 1, 6, size), tensor(
        DType.BFLOAT16, 1, 1, 6, size));
    }
    check(Attributes.NONE, tensor(DType.FLOAT64, 1, 1, 9, 128), tensor(DType.FLOAT64, 1, 1, 17, 128), tensor(
      DType.FLOAT64, 1, 1, 17, 65));
  }

  @Test
  void headsBesideEachOtherAreTheirTwins() {
    Attributes heads = Attributes.NONE.with("q_num_heads", 4).with("kv_num_heads", 2);
    check(heads.with("is_causal", 1), tensor(DType.FLOAT32, 2, 19, 4 * 5), tensor(DType.FLOAT32, 2, 20, 2 * 5), tensor(
      DType.FLOAT32, 2, 20, 2 * 3));
  }

  @Test
  void greatScoresAndQueriesWhoseKeysAreAllMaskedAreTheirTwins() {
    TensorView q = tensor(DType.FLOAT32, 1, 1, 3, 4);
    TensorView k = tensor(DType.FLOAT32, 1, 1, 20, 4);
    TensorView v = tensor(DType.FLOAT32, 1, 1, 20, 4);
    double[] counts = new double[3 * 20];
    counts[19] = 1;
    counts[20 + 3] = 1;
    TensorView few = TestTensors.of(DType.BOOL, Shape.of(3, 20), counts);
    check(Attributes.NONE, q, k, v, few);
    check(Attributes.NONE.with(AttentionHeads.NAN_WHEN_MASKED, 1), q, k, v, few);
    check(Attributes.NONE.with("scale", new AttributeValue.Real(1e4f)), q, k, v);
  }

  /** Keys and values behind a causal query do not count, whatever they hold. */
  @Test
  void whatLiesBehindAQueryDoesNotCountEvenIfItIsNoNumber() {
    TensorView q = tensor(DType.FLOAT32, 1, 1, 18, 4);
    TensorView k = tensor(DType.FLOAT32, 1, 1, 18, 4);
    TensorView v = tensor(DType.FLOAT32, 1, 1, 18, 4);
    TestTensors.set(k, 17 * 4, Double.NaN);
    TestTensors.set(v, 17 * 4 + 2, Double.NaN);
    check(Attributes.NONE.with("is_causal", 1), q, k, v);
  }

  /** A query, a key or a value that is no number, or infinite, spoils the gradients that depend on it. */
  @Test
  void oddOperandsAreTheirTwins() {
    for (double odd : new double[] {Double.NaN, Double.POSITIVE_INFINITY}) {
      for (int operand = 0; operand < 3; operand++) {
        TensorView[] operands = {tensor(DType.FLOAT32, 1, 2, 5, 4), tensor(DType.FLOAT32, 1, 2, 20, 4), tensor(
          DType.FLOAT32, 1, 2, 20, 4)};
        TestTensors.set(operands[operand], 4, odd);
        check(Attributes.NONE, operands);
      }
    }
  }

  @Test
  void withoutHeadsThereIsNothing() {
    check(Attributes.NONE, tensor(DType.FLOAT32, 1, 0, 3, 5), tensor(DType.FLOAT32, 1, 0, 4, 5), tensor(DType.FLOAT32,
      1, 0, 4, 5));
  }

  @Test
  void withoutKeysOrQueriesGradientsAreZero() {
    check(Attributes.NONE, tensor(DType.FLOAT32, 1, 2, 3, 5), tensor(DType.FLOAT32, 1, 2, 0, 5), tensor(DType.FLOAT32,
      1, 2, 0, 4));
    check(Attributes.NONE, tensor(DType.FLOAT32, 1, 2, 0, 5), tensor(DType.FLOAT32, 1, 2, 3, 5), tensor(DType.FLOAT32,
      1, 2, 3, 4));
  }

  @Test
  void capsAndWiderHeadsThanThereIsRoomForHaveNoKernel() {
    TensorView wide = tensor(DType.FLOAT32, 1, 1, 2, 257);
    assertThat(isServed(Attributes.NONE, wide)).isFalse();
    TensorView narrow = tensor(DType.FLOAT32, 1, 1, 2, 5);
    assertThat(isServed(Attributes.NONE, narrow)).isTrue();
    assertThat(isServed(Attributes.NONE.with("softcap", new AttributeValue.Real(2)), narrow)).isFalse();
  }

  private static boolean isServed(Attributes attributes, TensorView x) {
    return twins.serves("AttentionGradient", KernelRunner.signature(attributes, List.of(x.type(), x.type(), x.type()),
      x, x, x, x));
  }
}
