package dev.cairn.kernels.cpu.product;

import static dev.cairn.kernels.TestTensors.counting;
import static dev.cairn.kernels.TestTensors.ofLongs;
import static dev.cairn.kernels.TestTensors.random;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.cairn.kernels.KernelRunner;
import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.Tolerance;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.MatrixProduct;
import dev.cairn.kernels.row.MatmulKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.testing.Rounds;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class MatmulTest implements Rounds {
  private final Random random = new Random(11);

  private static TensorView matmul(TensorView a, TensorView b, long... shape) {
    return KernelRunner.checkTwins(MatmulKernels.ROWS, "MatMul", Attributes.NONE,
      List.of(TensorType.of(a.dtype(), shape)), a.shape().extent(-1) * 4, a, b).getFirst();
  }

  private static double[] naive(TensorView a, TensorView b, int rows, int depth, int columns) {
    double[] left = TestTensors.doubles(a);
    double[] right = TestTensors.doubles(b);
    double[] sums = new double[rows * columns];
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < columns; j++) {
        for (int k = 0; k < depth; k++) {
          sums[i * columns + j] += left[i * depth + k] * right[k * columns + j];
        }
      }
    }
    return sums;
  }

  @Test
  void multipliesByHand() {
    TensorView a = counting(DType.FLOAT32, Shape.of(2, 3));
    TensorView b = counting(DType.FLOAT32, Shape.of(3, 2));
    assertArrayEquals(new double[] {10, 13, 28, 40}, TestTensors.doubles(matmul(a, b, 2, 2)));
  }

  @Test
  void vectorsAreARowOnTheLeftAndAColumnOnTheRight() {
    TensorView matrix = counting(DType.FLOAT32, Shape.of(3, 3));
    TensorView vector = counting(DType.FLOAT32, Shape.of(3));
    assertArrayEquals(new double[] {15, 18, 21}, TestTensors.doubles(matmul(vector, matrix, 3)));
    assertArrayEquals(new double[] {5, 14, 23}, TestTensors.doubles(matmul(matrix, vector, 3)));
    assertArrayEquals(new double[] {5}, TestTensors.doubles(matmul(vector, vector)));
  }

  @Test
  void outerAxesAreStretchedToEachOther() {
    TensorView a = random(DType.FLOAT32, Shape.of(2, 1, 7, 5), random);
    TensorView b = random(DType.FLOAT32, Shape.of(3, 5, 6), random);
    TensorView product = matmul(a, b, 2, 3, 7, 6);
    for (int i = 0; i < 2; i++) {
      for (int j = 0; j < 3; j++) {
        TensorView left = part(a, i, Shape.of(7, 5));
        TensorView right = part(b, j, Shape.of(5, 6));
        Tolerance.of(DType.FLOAT32, 20).check("product " + i + "," + j, naive(left, right, 7, 5, 6),
          part(product, i * 3 + j, Shape.of(7, 6)));
      }
    }
  }

  @Test
  void manyLeftMatricesShareOneRightMatrix() {
    TensorView a = random(DType.FLOAT32, Shape.of(3, 4, 9, 33), random);
    TensorView b = random(DType.FLOAT32, Shape.of(33, 20), random);
    Tolerance.of(DType.FLOAT32, 130).check("stacked", naive(a, b, 108, 33, 20), matmul(a, b, 3, 4, 9, 20));
    TensorView one = random(DType.FLOAT32, Shape.of(9, 33), random);
    TensorView many = random(DType.FLOAT32, Shape.of(4, 33, 20), random);
    matmul(one, many, 4, 9, 20);
    matmul(random(DType.FLOAT32, Shape.of(5, 1, 4), random), random(DType.FLOAT32, Shape.of(5, 4, 1), random), 5, 1, 1);
  }

  private static TensorView part(TensorView view, int index, Shape shape) {
    long bytes = shape.elementCount() * view.dtype().bytes();
    return new TensorView(new TensorType(view.dtype(), shape), view.segment().asSlice(index * bytes, bytes));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 7, 8, 9, 31, 32, 33, 49, 65})
  void twinsAgreeOverAwkwardRowsAndColumns(int rows) {
    for (int columns : some(1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 49, 255, 257)) {
      for (int depth : some(1, 3, 17, 64)) {
        TensorView a = random(DType.FLOAT32, Shape.of(rows, depth), random);
        TensorView b = random(DType.FLOAT32, Shape.of(depth, columns), random);
        Tolerance.of(DType.FLOAT32, 4L * depth).check("%dx%dx%d".formatted(rows, depth, columns),
          naive(a, b, rows, depth, columns), matmul(a, b, rows, columns));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {255, 256, 257, 512, 1000, 4097})
  void twinsAgreeOverAwkwardDepths(int depth) {
    for (int rows : some(1, 4, 6, 13, 50)) {
      for (int columns : new int[] {1, 33, 70}) {
        TensorView a = random(DType.FLOAT32, Shape.of(rows, depth), random);
        TensorView b = random(DType.FLOAT32, Shape.of(depth, columns), random);
        matmul(a, b, rows, columns);
      }
    }
  }

  @Test
  void largeProductsAgreeOnAnyNumberOfThreads() {
    matmul(random(DType.FLOAT32, Shape.of(203, 300), random), random(DType.FLOAT32, Shape.of(300, 411), random), 203,
      411);
    matmul(random(DType.FLOAT32, Shape.of(3, 600), random), random(DType.FLOAT32, Shape.of(600, 5001), random), 3,
      5001);
  }

  @Test
  void emptyExtentsGiveNothingOrZeros() {
    matmul(TestTensors.zeros(TensorType.of(DType.FLOAT32, 0, 3)), counting(DType.FLOAT32, Shape.of(3, 4)), 0, 4);
    matmul(counting(DType.FLOAT32, Shape.of(9, 3)), TestTensors.zeros(TensorType.of(DType.FLOAT32, 3, 0)), 9, 0);
    matmul(TestTensors.zeros(TensorType.of(DType.FLOAT32, 0, 8, 3)), TestTensors.zeros(TensorType.of(DType.FLOAT32, 0,
      3, 8)), 0, 8, 8);
    for (int rows : new int[] {1, 9}) {
      TensorView zeros = matmul(TestTensors.zeros(TensorType.of(DType.FLOAT32, rows, 0)),
        TestTensors.zeros(TensorType.of(DType.FLOAT32, 0, 40)), rows, 40);
      assertArrayEquals(new double[rows * 40], TestTensors.doubles(zeros));
    }
  }

  @Test
  void notANumberAndInfinitySpread() {
    TensorView a = random(DType.FLOAT32, Shape.of(9, 20), random);
    TestTensors.set(a, 25, Double.NaN);
    TestTensors.set(a, 65, Double.POSITIVE_INFINITY);
    matmul(a, random(DType.FLOAT32, Shape.of(20, 40), random), 9, 40);
  }

  @ParameterizedTest
  @EnumSource(names = {"INT32", "INT64", "UINT32", "UINT64"})
  void wholeNumbersWrap(DType dtype) {
    long big = dtype.bytes() == 8 ? Long.MIN_VALUE | 5 : 0x8000_0005L;
    TensorView a = ofLongs(dtype, Shape.of(1, 2), big, 3);
    TensorView b = ofLongs(dtype, Shape.of(2, 1), 2, 1);
    assertArrayEquals(new long[] {13}, matmul(a, b, 1, 1).toLongArray());
    TensorView c = random(dtype, Shape.of(9, 70), random);
    TensorView d = random(dtype, Shape.of(70, 67), random);
    Tolerance.EXACT.check("whole", naive(c, d, 9, 70, 67), matmul(c, d, 9, 67));
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT64", "FLOAT16", "BFLOAT16"})
  void otherRealTypesAgreeWithDouble(DType dtype) {
    TensorView a = random(dtype, Shape.of(7, 40), random);
    TensorView b = random(dtype, Shape.of(40, 33), random);
    Tolerance.of(dtype, 160).check(dtype.toString(), naive(a, b, 7, 40, 33), matmul(a, b, 7, 33));
  }

  private TensorView gemm(Attributes attributes, TensorView a, TensorView b, @Nullable TensorView c, int... size) {
    TensorView result = KernelRunner.checkTwins(MatmulKernels.ROWS, "Gemm", attributes,
      List.of(TensorType.of(a.dtype(), size[0], size[1])), 8L * size[2], a, b, c).getFirst();
    double alpha = attributes.getFloat("alpha", 1);
    double beta = attributes.getFloat("beta", 1);
    TensorView left = attributes.getFlag("transA", false) ? turned(a) : a;
    TensorView right = attributes.getFlag("transB", false) ? turned(b) : b;
    double[] sums = naive(left, right, size[0], size[2], size[1]);
    for (int i = 0; i < sums.length; i++) {
      long row = c == null || c.shape().rank() < 2 || c.shape().extent(0) == 1 ? 0 : i / size[1];
      long width = c == null || c.shape().rank() == 0 ? 1 : c.shape().extent(-1);
      long column = width == 1 ? 0 : i % size[1];
      sums[i] = alpha * sums[i] + (c == null ? 0 : beta * c.doubleAt(row * width + column));
    }
    Tolerance.of(a.dtype(), 8L * size[2]).check("Gemm" + attributes, sums, result);
    return result;
  }

  private static TensorView turned(TensorView view) {
    long rows = view.shape().extent(0);
    long columns = view.shape().extent(1);
    TensorView turned = TestTensors.zeros(TensorType.of(view.dtype(), columns, rows));
    for (long i = 0; i < rows * columns; i++) {
      TestTensors.set(turned, i % columns * rows + i / columns, view.doubleAt(i));
    }
    return turned;
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT32", "FLOAT64", "FLOAT16", "BFLOAT16"})
  void gemmTransposesScalesAndAdds(DType dtype) {
    for (int flags = 0; flags < 4; flags++) {
      Attributes attributes = Attributes.NONE.with("transA", flags & 1).with("transB", flags >> 1)
        .with("alpha", new AttributeValue.Real(0.5f)).with("beta", new AttributeValue.Real(-2));
      for (int[] size : new int[][] {{1, 9, 7}, {3, 50, 33}, {17, 39, 20}, {20, 1, 8}}) {
        Shape left = (flags & 1) == 1 ? Shape.of(size[2], size[0]) : Shape.of(size[0], size[2]);
        Shape right = (flags & 2) == 2 ? Shape.of(size[1], size[2]) : Shape.of(size[2], size[1]);
        for (Shape added : List.of(Shape.of(size[0], size[1]), Shape.of(1, size[1]), Shape.of(size[0], 1),
          Shape.of(size[1]), Shape.of(1), Shape.SCALAR)) {
          gemm(attributes, random(dtype, left, random), random(dtype, right, random), random(dtype, added, random),
            size);
        }
        gemm(attributes, random(dtype, left, random), random(dtype, right, random), null, size);
      }
    }
  }

  @Test
  void gemmWithDefaultsAndLargeOperands() {
    for (int transposed = 0; transposed < 2; transposed++) {
      Attributes attributes = Attributes.NONE.with("transB", transposed);
      Shape right = transposed == 1 ? Shape.of(130, 600) : Shape.of(600, 130);
      for (int rows : new int[] {1, 4, 5, 16, 70}) {
        gemm(attributes, random(DType.FLOAT32, Shape.of(rows, 600), random), random(DType.FLOAT32, right, random),
          random(DType.FLOAT32, Shape.of(130), random), rows, 130, 600);
      }
    }
  }

  @Test
  void aBetaOfZeroIgnoresWhatWouldBeAdded() {
    TensorView c = TestTensors.of(DType.FLOAT32, Shape.of(1), Double.NaN);
    TensorView a = counting(DType.FLOAT32, Shape.of(1, 2));
    TensorView sum = KernelRunner.checkTwins(MatmulKernels.ROWS, "Gemm",
      Attributes.NONE.with("beta", new AttributeValue.Real(0)), List.of(TensorType.of(DType.FLOAT32, 1, 1)), 2, a,
      counting(DType.FLOAT32, Shape.of(2, 1)), c).getFirst();
    assertArrayEquals(new double[] {1}, TestTensors.doubles(sum));
  }

  @Test
  void extentsThatDoNotFitAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> MatrixProduct.ofMatmul(Shape.of(2, 3), Shape.of(2, 3)));
    assertThrows(IllegalArgumentException.class, () -> MatrixProduct.ofMatmul(Shape.SCALAR, Shape.of(2, 3)));
    assertThrows(IllegalArgumentException.class,
      () -> MatrixProduct.ofMatmul(Shape.of(2, 2, 3), Shape.of(3, 3, 2)));
    assertThrows(IllegalArgumentException.class,
      () -> MatrixProduct.ofGemm(Shape.of(2, 3), Shape.of(3, 2), true, false));
    assertThrows(IllegalArgumentException.class,
      () -> MatrixProduct.ofGemm(Shape.of(1, 2, 3), Shape.of(3, 2), false, false));
  }
}
