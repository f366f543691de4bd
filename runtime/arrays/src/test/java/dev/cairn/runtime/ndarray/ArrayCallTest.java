package dev.cairn.runtime.ndarray;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.StringElements;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Calls: A-5 types, A-7 what is refused, I-1 to I-4, A-10 threads. */
class ArrayCallTest extends ArrayContract {
  @Test
  void anExpressionGivesWhatTheFormulaSays() {
    NDArray x = arrays.of(new float[] {1, 2, 3, 4}, 2, 2);
    assertThat(x.matmul(x.transpose()).add(1).relu().toFloatArray()).containsExactly(6, 12, 12, 26);
    assertThat(x.sum().item()).isEqualTo(10);
    assertThat(x.mean(0).toFloatArray()).containsExactly(2, 3);
    assertThat(x.max(-1).shape()).isEqualTo(Shape.of(2));
    assertThat(x.square().sub(x).div(2).toFloatArray()).containsExactly(0, 1, 3, 6);
  }

  @Test
  void shapesBroadcastAndTypesAreNotPromoted() {
    NDArray x = counting(2, 3);
    assertThat(x.add(floats(10, 20, 30)).toFloatArray()).containsExactly(10, 21, 32, 13, 24, 35);
    NDArray whole = arrays.of(new int[] {1, 2, 3}, 3);
    assertThatThrownBy(() -> x.add(whole)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(
      "Add(float32[2x3], int32[3])");
    assertThatThrownBy(() -> x.add(floats(1, 2))).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(
      "Add(float32[2x3], float32[2])");
    assertThat(x.add(whole.astype(DType.FLOAT32)).type()).isEqualTo(TensorType.of(DType.FLOAT32, 2, 3));
    assertThat(x.gt(2).dtype()).isEqualTo(DType.BOOL);
    assertThat(x.gt(2).astype(DType.INT32).toIntArray()).containsExactly(0, 0, 0, 1, 1, 1);
  }

  @Test
  void aNumberTakesTheArraysTypeOrIsRefused() {
    NDArray whole = arrays.of(new int[] {7}, 1);
    assertThat(whole.mul(3).toIntArray()).containsExactly(21);
    assertThat(whole.add(2.0).toIntArray()).containsExactly(9);
    assertThatThrownBy(() -> whole.add(0.5)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("int32");
    assertThatThrownBy(() -> whole.add(1L << 31)).hasMessageContaining("value=2147483648");
    assertThatThrownBy(() -> floats(1).add((1L << 53) + 1)).hasMessageContaining("float32");
    assertThatThrownBy(() -> floats(1).add(1e39)).hasMessageContaining("1.0E39");
    assertThat(floats(1).add(1L << 53).toFloatArray()).containsExactly(0x1p53f);
    assertThat(floats(1).mul(0.1).toFloatArray()).containsExactly(0.1f);
    NDArray large = arrays.of(new int[] {Integer.MAX_VALUE}, 1);
    assertThat(large.sub(1).toIntArray()).containsExactly(Integer.MAX_VALUE - 1);
  }

  @Test
  void aShortCircuitOfTruthNeedsOneElement() {
    assertThat(floats(0).truth()).isFalse();
    assertThat(floats(2).gt(1).truth()).isTrue();
    assertThatThrownBy(() -> floats(1, 2).truth()).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> arrays.zeros(DType.FLOAT32, 0).item()).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void scalarsAndEmptyArraysAreArrays() {
    NDArray scalar = arrays.of(new float[] {3}, new long[0]);
    assertThat(scalar.mul(scalar).item()).isEqualTo(9);
    NDArray empty = arrays.zeros(DType.FLOAT32, 0, 4);
    assertThat(empty.add(1).toFloatArray()).isEmpty();
    assertThat(empty.sum(0).toFloatArray()).containsExactly(0, 0, 0, 0);
    assertThat(arrays.arange(0, 5, 2, DType.INT64).toLongArray()).containsExactly(0, 2, 4);
    assertThat(arrays.full(7, DType.FLOAT64, 2).toDoubleArray()).containsExactly(7, 7);
  }

  @Test
  void operatorsWithoutAFunctionAreCalledByName() {
    NDArray x = floats(1, 5, 3);
    List<NDArray> top = arrays.apply("TopK", Attributes.NONE, 2, List.of(x, arrays.of(new long[] {2}, 1)));
    assertThat(top.get(0).toFloatArray()).containsExactly(5, 3);
    assertThat(top.get(1).toLongArray()).containsExactly(1, 2);
    assertThat(arrays.apply("Clip", Attributes.NONE, 1, Arrays.asList(x, null, x.scalar(3))).get(0).toFloatArray())
      .containsExactly(1, 3, 3);
    assertThatThrownBy(() -> arrays.apply("Nonsense", Attributes.NONE, 1, List.of(x))).isInstanceOf(
      IllegalArgumentException.class).hasMessageContaining("Nonsense");
    assertThatThrownBy(() -> arrays.apply("Relu", Attributes.NONE, 1, List.of())).hasMessageContaining("Relu");
  }

  @Test
  void aShapeThatIsAnArrayIsReadFirst() {
    NDArray x = counting(2, 3);
    NDArray shape = arrays.of(new long[] {3, 1}, 2).add(arrays.of(new long[] {0, 1}, 2));
    NDArray reshaped = arrays.apply("Reshape", Attributes.NONE, 1, List.of(x, shape)).get(0);
    assertThat(reshaped.shape()).isEqualTo(Shape.of(3, 2));
    NDArray places = arrays.apply("NonZero", Attributes.NONE, 1, List.of(x.gt(3))).get(0);
    assertThat(places.shape()).isEqualTo(Shape.of(2, 2));
    assertThat(places.toLongArray()).containsExactly(1, 1, 1, 2);
  }

  @Test
  void aliasesAreViewsAndPushNothing() {
    NDArray x = counting(2, 3);
    NDArray y = x.reshape(3, -1);
    assertThat(y.isView()).isTrue();
    assertThat(y.sharesStorageWith(x)).isTrue();
    assertThat(x.transpose().sharesStorageWith(x)).isFalse();
    assertThatThrownBy(() -> x.reshape(4, -1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> x.reshape(2)).isInstanceOf(IllegalArgumentException.class);
    x.addi(1);
    assertThat(y.toFloatArray()).containsExactly(1, 2, 3, 4, 5, 6);
    assertThat(x.expandDims(0, 3).squeeze().flatten().shape()).isEqualTo(Shape.of(6));
  }

  @Test
  void arraysOfAnotherRuntimeAreRefused() {
    try (var others = ArrayRuntime.open(options()); var _ = others.scope()) {
      NDArray other = others.of(new float[] {1}, 1);
      assertThatThrownBy(() -> floats(1).add(other)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(
        "another runtime");
    }
  }

  @Test
  void anyThreadMayUseAnyArray() {
    NDArray sum = arrays.zeros(DType.INT64, 16);
    List<CompletableFuture<Void>> threads = IntStream.range(0, isNaive() ? 1 : 4).mapToObj(t -> CompletableFuture
      .runAsync(() -> {
        try (var _ = arrays.scope()) {
          for (int i = 0; i < 500; i++) {
            sum.addi(arrays.full(1, DType.INT64, 16).add(t));
          }
        }
      })).toList();
    threads.forEach(CompletableFuture::join);
    long expected = IntStream.range(0, threads.size()).mapToLong(t -> 500L * (1 + t)).sum();
    assertThat(sum.toLongArray()).containsOnly(expected);
  }

  @Test
  void theLocaleChangesNothing() {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.GERMANY);
    try {
      assertThat(floats(1.5f).add(0.25)).hasToString("float32[1] cpu\n[1.75]");
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void aCallInABulkIsWhatItIsAlone() {
    NDArray x = arrays.zeros(DType.FLOAT32, 4);
    try (var _ = arrays.bulk(15)) {
      for (int i = 0; i < 104; i++) {
        x.addi(1);
      }
    }
    assertThat(x.toFloatArray()).containsOnly(104);
  }

  @Test
  void arraysRefuseStrings() {
    try (var runtime = ArrayRuntime.open(ArrayOptions.DEFAULT); var _ = runtime.scope()) {
      TensorView text = StringElements.of(List.of("a"));
      NDArray number = runtime.ones(DType.FLOAT32, 1);
      assertThatThrownBy(() -> runtime.copyOf(text)).hasMessageContaining("arrays cannot hold strings");
      assertThatThrownBy(() -> runtime.constant(text)).hasMessageContaining("arrays cannot hold strings");
      assertThatThrownBy(() -> number.astype(DType.STRING)).hasMessageContaining("arrays cannot hold strings");
    }
  }
}
