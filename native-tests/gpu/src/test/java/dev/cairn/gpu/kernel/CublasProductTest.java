package dev.cairn.gpu.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.catalog.KernelRow.Twin;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Products of matrices and convolutions by cuBLAS against their portable twins, and what is left to other kernels. */
class CublasProductTest {
  private static final List<DType> DTYPES = List.of(DType.FLOAT32, DType.FLOAT16, DType.BFLOAT16);
  private static CudaTwins twins;
  private final SplittableRandom random = new SplittableRandom(37);

  @BeforeAll
  static void open() {
    twins = CudaTwins.openWithCublas();
  }

  @AfterAll
  static void close() {
    if (twins != null) {
      twins.close();
    }
  }

  private static Attributes factors(float alpha, float beta) {
    return Attributes.NONE.with("alpha", new AttributeValue.Real(alpha)).with("beta", new AttributeValue.Real(beta));
  }

  private void matmul(Twin expected, DType dtype, Shape left, Shape right, Shape output) {
    check(expected, "MatMul", Attributes.NONE, new TensorType(dtype, output), left.extent(-1), TestTensors.random(dtype,
      left, random), TestTensors.random(dtype, right, random));
  }

  private void check(Twin expected, String operator, Attributes attributes, TensorType output, long depth,
    TensorView... inputs) {
    assertThat(twins.twin(operator, attributes, List.of(output), inputs)).isEqualTo(expected);
    twins.check(operator, attributes, output, 4 * depth, inputs);
  }

  @Test
  void evenlySpacedProductsAreTheirTwins() {
    for (DType dtype : DTYPES) {
      matmul(Twin.CUDA_LIBRARY, dtype, Shape.of(33, 20), Shape.of(20, 70), Shape.of(33, 70));
      matmul(Twin.CUDA_LIBRARY, dtype, Shape.of(2, 3, 7, 20), Shape.of(2, 3, 20, 9), Shape.of(2, 3, 7, 9));
      matmul(Twin.CUDA_LIBRARY, dtype, Shape.of(2, 3, 4, 5), Shape.of(5, 6), Shape.of(2, 3, 4, 6));
      matmul(Twin.CUDA_LIBRARY, dtype, Shape.of(4, 5), Shape.of(2, 3, 5, 6), Shape.of(2, 3, 4, 6));
      matmul(Twin.CUDA_LIBRARY, dtype, Shape.of(9), Shape.of(3, 9, 4), Shape.of(3, 4));
      matmul(Twin.CUDA_LIBRARY, dtype, Shape.of(3, 4, 9), Shape.of(9), Shape.of(3, 4));
      matmul(Twin.CUDA_LIBRARY, dtype, Shape.of(1, 1), Shape.of(1, 1), Shape.of(1, 1));
    }
  }

  @Test
  void whatCublasHasNoCallForIsServedByOurOwnKernel() {
    matmul(Twin.CUDA, DType.FLOAT32, Shape.of(2, 1, 3, 4, 5), Shape.of(7, 3, 5, 2), Shape.of(2, 7, 3, 4, 2));
    matmul(Twin.CUDA, DType.FLOAT32, Shape.of(3, 0), Shape.of(0, 4), Shape.of(3, 4));
    matmul(Twin.CUDA, DType.FLOAT32, Shape.of(0, 3), Shape.of(3, 4), Shape.of(0, 4));
    matmul(Twin.CUDA, DType.FLOAT64, Shape.of(3, 3), Shape.of(3, 4), Shape.of(3, 4));
    matmul(Twin.CUDA, DType.INT32, Shape.of(3, 3), Shape.of(3, 4), Shape.of(3, 4));
    TensorView nan = TestTensors.of(DType.FLOAT32, Shape.of(1, 1), Double.NaN);
    check(Twin.CUDA, "Gemm", factors(0, 1), nan.type(), 1, nan, nan);
  }

  @Test
  void gemmTransposesScalesAndAddsWhatStretches() {
    for (DType dtype : DTYPES) {
      for (int round = 0; round < 20; round++) {
        boolean transA = random.nextBoolean();
        boolean transB = random.nextBoolean();
        int rows = 1 + random.nextInt(round % 3 == 0 ? 2 : 70);
        int columns = 1 + random.nextInt(round % 4 == 0 ? 2 : 70);
        int depth = 1 + random.nextInt(round % 5 == 0 ? 2 : 40);
        List<Shape> stretching = List.of(Shape.of(rows, columns), Shape.of(columns), Shape.of(rows, 1), Shape.SCALAR,
          Shape.of(1, columns));
        Attributes attributes = factors(random.nextBoolean() ? 1 : 0.5f, random.nextInt(3) - 1)
          .with("transA", transA ? 1 : 0).with("transB", transB ? 1 : 0);
        TensorView a = TestTensors.random(dtype, transA ? Shape.of(depth, rows) : Shape.of(rows, depth), random);
        TensorView b = TestTensors.random(dtype, transB ? Shape.of(columns, depth) : Shape.of(depth, columns), random);
        TensorView c = TestTensors.random(dtype, stretching.get(round % 5), random);
        TensorType output = TensorType.of(dtype, rows, columns);
        if (round % 6 == 5) {
          check(Twin.CUDA_LIBRARY, "Gemm", attributes, output, depth, a, b);
        } else {
          check(Twin.CUDA_LIBRARY, "Gemm", attributes, output, depth, a, b, c);
        }
      }
    }
  }

  @Test
  void convolutionsOfOnePlaceAreProductsAndOthersAreNot() {
    for (DType dtype : DTYPES) {
      TensorView x = TestTensors.random(dtype, Shape.of(3, 10, 5, 7), random);
      TensorView w = TestTensors.random(dtype, Shape.of(17, 10, 1, 1), random);
      TensorView bias = TestTensors.random(dtype, Shape.of(17), random);
      TensorType output = TensorType.of(dtype, 3, 17, 5, 7);
      check(Twin.CUDA_LIBRARY, "Conv", Attributes.NONE, output, 10, x, w, bias);
      check(Twin.CUDA_LIBRARY, "Conv", Attributes.NONE, output, 10, x, w);
      check(Twin.CUDA, "Conv", Attributes.NONE.with("strides", AttributeValue.Ints.of(1, 2)), TensorType.of(dtype, 3,
        17, 5, 4), 10, x, w, bias);
      check(Twin.CUDA, "Conv", Attributes.NONE.with("pads", AttributeValue.Ints.of(0, 0, 0, 1)), TensorType.of(dtype, 3,
        17, 5, 8), 10, x, w, bias);
      TensorView halves = TestTensors.random(dtype, Shape.of(4, 5, 1, 1), random);
      check(Twin.CUDA, "Conv", Attributes.NONE.with("group", 2), TensorType.of(dtype, 3, 4, 5, 7), 5, x, halves);
    }
  }
}
