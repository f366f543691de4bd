package dev.cairn.runtime.ndarray;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.engine.failure.OperationFailed;
import dev.cairn.runtime.resource.RandomState;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Section 6: random arrays. */
class ArrayRandomTest {
  private static ArrayRuntime seeded(long seed, int threads) {
    return ArrayRuntime.open(ArrayOptions.DEFAULT.withSeed(seed).withThreads(threads));
  }

  @Test
  void w3NumbersDependOnSeedAndDrawAlone() {
    float[] first;
    try (var arrays = seeded(5, 1); var _ = arrays.scope()) {
      arrays.random().uniform(DType.FLOAT32, 3);
      first = arrays.random().normal(DType.FLOAT32, 100_000).toFloatArray();
      assertThat(arrays.random().normal(DType.FLOAT32, 100_000).toFloatArray()).isNotEqualTo(first);
    }
    try (var arrays = seeded(0, 4); var _ = arrays.scope()) {
      assertThat(arrays.random().normal(DType.FLOAT32, 100_000).toFloatArray()).isNotEqualTo(first);
      arrays.random().seed(5);
      arrays.random().bernoulli(arrays.ones(DType.FLOAT32, 7));
      assertThat(arrays.random().normal(DType.FLOAT32, 100_000).toFloatArray()).isEqualTo(first);
      assertThat(arrays.random().with(RandomState.restored(new long[] {5, 1})).normal(DType.FLOAT32, 100_000)
        .toFloatArray()).isEqualTo(first);
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.01, 1.01, Double.NaN, Double.POSITIVE_INFINITY})
  void whatIsNoProbabilityIsRefusedByName(double value) {
    try (var arrays = seeded(5, 1); var _ = arrays.scope()) {
      NDArray coins = arrays.random().bernoulli(arrays.of(new double[] {0, 1, value}, 3));
      assertThatThrownBy(coins::toDoubleArray).isInstanceOf(OperationFailed.class).hasMessageContaining(
        "not a probability from 0 to 1: element=2 value=" + value);
      assertThat(arrays.random().bernoulli(arrays.of(new double[] {0, 1}, 2)).toDoubleArray()).containsExactly(0, 1);
    }
  }

  /** W-5: a seed between two pushes that have not run yet. */
  @Test
  void w5SeedsTakeEffectInTheOrderOfTheProgram() {
    try (var arrays = seeded(5, 1); var _ = arrays.scope()) {
      NDArray first = arrays.random().uniform(DType.FLOAT64, 50);
      arrays.random().seed(5);
      NDArray second = arrays.random().uniform(DType.FLOAT64, 50);
      assertThat(second.toDoubleArray()).isEqualTo(first.toDoubleArray());
    }
  }

  @Test
  void w5RuntimesWithoutASeedDiffer() {
    try (var one = ArrayRuntime.open(ArrayOptions.DEFAULT); var other = ArrayRuntime.open(ArrayOptions.DEFAULT)) {
      assertThat(one.random().save()[0]).isNotEqualTo(other.random().save()[0]);
    }
  }

  /** W-8: each of five buckets has a fifth; the limit is the 0.999 quantile of chi-square with 4 degrees of freedom. */
  @ParameterizedTest
  @EnumSource(value = DType.class, names = {"FLOAT16", "BFLOAT16", "FLOAT32", "FLOAT64"})
  void w8NumbersAreAsLikelyAsTheyShould(DType dtype) {
    requireLikelihoods(dtype, 150_000);
  }

  @ParameterizedTest
  @EnumSource(value = DType.class, names = {"FLOAT16", "BFLOAT16", "FLOAT32", "FLOAT64"})
  @Tag("long")
  void w8AMillionNumbersAreAsLikelyAsTheyShould(DType dtype) {
    requireLikelihoods(dtype, 1_000_000);
  }

  private static void requireLikelihoods(DType dtype, int count) {
    double limit = 18.47;
    // Quantiles of the normal distribution at fifths.
    double[] fifths = {-0.8416212335729143, -0.2533471031357997, 0.2533471031357997, 0.8416212335729143};
    double[] range = {-0.6, -0.2, 0.2, 0.6};
    try (var arrays = seeded(3, 2); var _ = arrays.scope()) {
      boolean isHalf = dtype == DType.FLOAT16 || dtype == DType.BFLOAT16;
      if (!isHalf) {
        // Halves round numbers across the borders of buckets.
        assertThat(chiSquare(arrays.random().normal(dtype, count), fifths)).isLessThan(limit);
      }
      NDArray uniform = arrays.random().uniform(-1, 1, dtype, count);
      if (!isHalf) {
        assertThat(chiSquare(uniform, range)).isLessThan(limit);
      }
      assertThat(uniform.max().astype(DType.FLOAT64).item()).isBetween(0.99, Math.nextDown(1.0));
      assertThat(uniform.min().astype(DType.FLOAT64).item()).isBetween(-1.0, -0.99);
      NDArray coins = arrays.random().bernoulli(arrays.full(0.2, dtype, count));
      assertThat(chiSquare(coins, new double[] {0.5}, 0.8, 0.2)).isLessThan(12);
    }
  }

  @Test
  void w8ClassesAreAsLikelyAsTheyShould() {
    try (var arrays = seeded(3, 2); var _ = arrays.scope()) {
      NDArray logits = arrays.of(new double[] {1, 2, 3, 4}, 1, 4).log();
      NDArray classes = arrays.random().categorical(logits, 200_000);
      assertThat(chiSquare(classes, new double[] {0.5, 1.5, 2.5}, 0.1, 0.2, 0.3, 0.4)).isLessThan(16.27);
    }
  }

  @Test
  void wrongTypesAreRefused() {
    try (var arrays = seeded(3, 1); var _ = arrays.scope()) {
      assertThatThrownBy(() -> arrays.random().normal(DType.INT32, 3)).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("random numbers are real");
    }
  }

  private static double chiSquare(NDArray drawn, double[] borders, double... shares) {
    double[] numbers = drawn.astype(DType.FLOAT64).toDoubleArray();
    long[] counts = new long[borders.length + 1];
    for (double number : numbers) {
      int bucket = 0;
      while (bucket < borders.length && number >= borders[bucket]) {
        bucket++;
      }
      counts[bucket]++;
    }
    double sum = 0;
    for (int i = 0; i < counts.length; i++) {
      double wanted = numbers.length * (shares.length == 0 ? 1.0 / counts.length : shares[i]);
      sum += (counts[i] - wanted) * (counts[i] - wanted) / wanted;
    }
    return sum;
  }

  @ParameterizedTest
  @CsvSource({"3,1", "1,1", "NaN,1", "0,1e300", "16777216,16777217"})
  void rangesWithoutNumbersAreRefused(double low, double high) {
    try (var runtime = ArrayRuntime.open(ArrayOptions.DEFAULT)) {
      ArrayRandom random = runtime.random();
      assertThatThrownBy(() -> random.uniform(low, high, DType.FLOAT64, 2)).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not a range of float32 numbers: low=" + low + " high=" + high);
    }
  }
}
