package dev.cairn.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.kernels.cuda.blas.Cublas;
import dev.cairn.kernels.cuda.blas.GemmCall;
import dev.cairn.kernels.cuda.blas.GemmMatrix;
import dev.cairn.kernels.cuda.blas.GemmPrecision;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Products by cuBLAS against three loops. */
class GemmTest extends OnCuda {
  private final SplittableRandom random = new SplittableRandom(9);

  /** A random product: extents, gaps between rows, transposed operands, factors, a batch. */
  private final class Product {
    final int rows = 1 + random.nextInt(70);
    final int columns = 1 + random.nextInt(70);
    final int depth = 1 + random.nextInt(40);
    final int batch = 1 + random.nextInt(3);
    final GemmPrecision precision;
    final boolean leftTransposed = random.nextBoolean();
    final boolean rightTransposed = random.nextBoolean();
    final int leftRow = (leftTransposed ? rows : depth) + random.nextInt(3);
    final int rightRow = (rightTransposed ? depth : columns) + random.nextInt(3);
    final int resultRow = columns + random.nextInt(3);
    final int leftBatch = leftRow * (leftTransposed ? depth : rows);
    final int rightBatch = random.nextBoolean() ? 0 : rightRow * (rightTransposed ? columns : depth);
    final int resultBatch = resultRow * rows;
    final float alpha = random.nextInt(4) == 0 ? 0.5f : 1;
    final float beta = random.nextInt(3) - 1;
    final float[] left = values(leftBatch * batch);
    final float[] right = values(rightRow * (rightTransposed ? columns : depth) * batch);
    final float[] result = values(resultBatch * batch);

    Product(GemmPrecision precision) {
      this.precision = precision;
    }

    /** Multiples of 1/8 up to 1, which half types hold as they are. */
    private float[] values(int count) {
      float[] values = new float[count];
      for (int i = 0; i < count; i++) {
        values[i] = (random.nextInt(17) - 8) / 8f;
      }
      return values;
    }

    void check(Consumer<GemmCall> run) {
      boolean halves = precision.bytes() == 2;
      long a = put(left);
      long b = put(right);
      long c = put(result);
      run.accept(new GemmCall(precision, rows, columns, depth,
        new GemmMatrix(a, leftRow, leftBatch, leftTransposed), new GemmMatrix(b, rightRow, rightBatch,
          rightTransposed),
        new GemmMatrix(c, resultRow, resultBatch, false), alpha, beta, batch));
      float[] got = halves ? get(c, result.length) : floats(c, result.length);
      float[] wanted = wanted();
      double tolerance = precision == GemmPrecision.BFLOAT16 ? 0.15 : halves ? 0.02 : 1e-4;
      for (int i = 0; i < got.length; i++) {
        assertThat((double) got[i]).as("element %d of %s %dx%dx%d", i, precision, rows, columns, depth)
          .isCloseTo(wanted[i], within(tolerance));
      }
    }

    private float[] wanted() {
      float[] wanted = result.clone();
      for (int p = 0; p < batch; p++) {
        for (int i = 0; i < rows; i++) {
          for (int j = 0; j < columns; j++) {
            double sum = 0;
            for (int k = 0; k < depth; k++) {
              sum += (double) left[p * leftBatch + (leftTransposed ? k * leftRow + i : i * leftRow + k)]
                * right[p * rightBatch + (rightTransposed ? j * rightRow + k : k * rightRow + j)];
            }
            int at = p * resultBatch + i * resultRow + j;
            wanted[at] = (float) (alpha * sum + beta * result[at]);
          }
        }
      }
      return wanted;
    }

    private long put(float[] values) {
      if (precision.bytes() == 4) {
        return upload(values);
      }
      int[] pairs = new int[(values.length + 1) / 2];
      for (int i = 0; i < values.length; i++) {
        int bits = precision == GemmPrecision.FLOAT16
          ? Float.floatToFloat16(values[i])
          : Float.floatToRawIntBits(values[i]) >>> 16;
        pairs[i / 2] |= (bits & 0xffff) << (i % 2 * 16);
      }
      return upload(pairs);
    }

    private float[] get(long address, int count) {
      short[] bits = shorts(address, count);
      float[] values = new float[count];
      for (int i = 0; i < count; i++) {
        values[i] = precision == GemmPrecision.FLOAT16
          ? Float.float16ToFloat(bits[i])
          : Float.intBitsToFloat(bits[i] << 16);
      }
      return values;
    }
  }

  private Cublas cublas() {
    Assumptions.assumeTrue(CudaUnderTest.loaded().cublas().isPresent(), "skipped: no cuBLAS");
    return Cublas.open(CudaUnderTest.loaded(), device);
  }

  @Test
  void cublasComputesRandomProductsOfAllPrecisions() {
    try (Cublas cublas = cublas()) {
      assertThat(cublas.version()).isGreaterThanOrEqualTo(110_000);
      for (GemmPrecision precision : GemmPrecision.values()) {
        for (int i = 0; i < 20; i++) {
          new Product(precision).check(call -> cublas.gemm(stream, call));
        }
      }
    }
  }

  @Test
  void withBetaZeroOldValuesDoNotCount() {
    long two = upload(2f, 2f, 2f, 2f);
    GemmMatrix two2 = GemmMatrix.of(two, 2);
    try (Cublas cublas = cublas()) {
      long result = upload(Float.NaN, Float.NaN, Float.POSITIVE_INFINITY, 1);
      cublas.gemm(stream, GemmCall.of(GemmPrecision.FLOAT32, new int[] {2, 2, 2}, two2, two2,
        GemmMatrix.of(result, 2)));
      assertThat(floats(result, 4)).containsOnly(8);
    }
  }

  @Test
  void productsFollowTheirStream() {
    var second = device.newStream("second");
    long from = upload(new float[64 * 64]);
    long to = upload(new float[64 * 64]);
    GemmCall call = GemmCall.of(GemmPrecision.FLOAT32, new int[] {64, 64, 64}, GemmMatrix.of(from, 64), GemmMatrix.of(
      from, 64), GemmMatrix.of(to, 64));
    try (Cublas cublas = cublas()) {
      for (int i = 1; i <= 5; i++) {
        var on = i % 2 == 0 ? stream : second;
        on.fillInts(from, Float.floatToRawIntBits(i), 64 * 64);
        cublas.gemm(on, call);
        on.synchronize();
        assertThat(floats(to, 64 * 64)).containsOnly(64f * i * i);
      }
    }
  }

  /** Found on an H100: the second product wrote into the rest of the first one's workspace, which held other values. */
  @Test
  void aSmallerWorkspaceAtTheSameAddressIsAllThatAProductWritesTo() {
    int large = 64 << 10;
    int small = 2816;
    long workspace = room(large);
    long from = upload(new int[256 * 256]);
    long to = upload(new int[256 * 256]);
    try (Cublas cublas = cublas()) {
      for (GemmPrecision precision : GemmPrecision.values()) {
        cublas.gemm(stream, GemmCall.of(precision, new int[] {1, 256, 256}, GemmMatrix.of(from, 256), GemmMatrix.of(
          from, 256), GemmMatrix.of(to, 256)), workspace, large);
        stream.fillInts(workspace, 7, large / Integer.BYTES);
        cublas.gemm(stream, GemmCall.of(precision, new int[] {1, 10, 256}, GemmMatrix.of(from, 256), GemmMatrix.of(
          from, 10), GemmMatrix.of(to, 10)), workspace, small);
        assertThat(ints(workspace + small, (large - small) / Integer.BYTES)).as(precision.toString()).containsOnly(7);
      }
    }
  }

  @Test
  void whatCanNotBeAProductIsRefused() {
    GemmMatrix narrow = GemmMatrix.of(256, 3);
    assertThatThrownBy(() -> GemmCall.of(GemmPrecision.FLOAT32, new int[] {4, 4, 4}, narrow, narrow, narrow))
      .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("matrix=left");
    assertThatThrownBy(() -> GemmCall.of(GemmPrecision.FLOAT32, new int[] {0, 3, 3}, narrow, narrow, narrow))
      .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("rows=0");
    assertThatThrownBy(() -> GemmCall.of(GemmPrecision.FLOAT32, new int[] {3, 3, 3}, narrow, narrow, narrow).batched(2))
      .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("batch=2");
    Cublas closed = cublas();
    closed.close();
    closed.close();
    assertThatThrownBy(closed::version).isInstanceOf(IllegalStateException.class);
  }
}
