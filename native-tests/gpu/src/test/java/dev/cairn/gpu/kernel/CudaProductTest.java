package dev.cairn.gpu.kernel;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.SlidingWindow;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Products of matrices and convolutions on CUDA, by kernels of our own, against their portable twins. */
class CudaProductTest {
  private static final List<DType> FLOATS = List.of(DType.FLOAT32, DType.FLOAT64, DType.FLOAT16, DType.BFLOAT16);
  private static CudaTwins twins;
  private final SplittableRandom random = new SplittableRandom(31);

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

  private static Attributes with(String name, long... values) {
    return Attributes.NONE.with(name, AttributeValue.Ints.of(values));
  }

  private static Attributes factors(float alpha, float beta) {
    return Attributes.NONE.with("alpha", new AttributeValue.Real(alpha)).with("beta", new AttributeValue.Real(beta));
  }

  private void matmul(DType dtype, Shape left, Shape right, Shape output) {
    long depth = left.extent(-1);
    twins.check("MatMul", Attributes.NONE, new TensorType(dtype, output), 4 * depth, TestTensors.random(dtype, left,
      random), TestTensors.random(dtype, right, random));
  }

  @Test
  void productsOfAwkwardExtentsAreTheirTwins() {
    int[] extents = {1, 2, 15, 16, 17, 63, 64, 65, 129};
    for (int round = 0; round < 20; round++) {
      int rows = extents[random.nextInt(extents.length)];
      int columns = extents[random.nextInt(extents.length)];
      int depth = extents[random.nextInt(extents.length)];
      matmul(DType.FLOAT32, Shape.of(rows, depth), Shape.of(depth, columns), Shape.of(rows, columns));
    }
  }

  @Test
  void productsOfFewAndOfManyTermsAreTheirTwins() {
    checkProducts(CudaTwins.FIRST);
  }

  @Test
  @Tag("long")
  void productsOfEveryTypeAreTheirTwins() {
    checkProducts(List.of(DType.FLOAT64, DType.FLOAT16, DType.BFLOAT16, DType.INT32, DType.INT64, DType.UINT32,
      DType.UINT64));
    TensorView large = TestTensors.ofLongs(DType.INT32, Shape.of(1, 2), Integer.MAX_VALUE, 7);
    TensorView factors = TestTensors.ofLongs(DType.INT32, Shape.of(2, 1), 3, Integer.MAX_VALUE);
    twins.check("MatMul", Attributes.NONE, TensorType.of(DType.INT32, 1, 1), 1, large, factors);
  }

  private void checkProducts(List<DType> dtypes) {
    for (DType dtype : dtypes) {
      matmul(dtype, Shape.of(2, 33, 20), Shape.of(2, 20, 70), Shape.of(2, 33, 70));
      matmul(dtype, Shape.of(3, 300), Shape.of(300, 5), Shape.of(3, 5));
    }
  }

  @Test
  void batchesStretchToEachOtherAndVectorsAreRowsOrColumns() {
    matmul(DType.FLOAT32, Shape.of(2, 3, 4, 5), Shape.of(5, 6), Shape.of(2, 3, 4, 6));
    matmul(DType.FLOAT32, Shape.of(4, 5), Shape.of(2, 3, 5, 6), Shape.of(2, 3, 4, 6));
    matmul(DType.FLOAT32, Shape.of(2, 1, 3, 4, 5), Shape.of(7, 3, 5, 2), Shape.of(2, 7, 3, 4, 2));
    matmul(DType.FLOAT32, Shape.of(3, 1, 1, 5), Shape.of(1, 2, 5, 4), Shape.of(3, 2, 1, 4));
    matmul(DType.FLOAT32, Shape.of(9), Shape.of(9), Shape.SCALAR);
    matmul(DType.FLOAT32, Shape.of(9), Shape.of(3, 9, 4), Shape.of(3, 4));
    matmul(DType.FLOAT32, Shape.of(3, 4, 9), Shape.of(9), Shape.of(3, 4));
  }

  @Test
  void productsOfNothingAreZeroAndNoProductsAreNone() {
    matmul(DType.FLOAT32, Shape.of(3, 0), Shape.of(0, 4), Shape.of(3, 4));
    matmul(DType.FLOAT32, Shape.of(0, 3), Shape.of(3, 4), Shape.of(0, 4));
    matmul(DType.FLOAT32, Shape.of(0, 2, 3), Shape.of(0, 3, 4), Shape.of(0, 2, 4));
    Attributes factors = factors(2, 0.5f);
    twins.check("Gemm", factors, TensorType.of(DType.FLOAT32, 2, 3), 1, TestTensors.zeros(TensorType.of(DType.FLOAT32,
      2, 0)), TestTensors.zeros(TensorType.of(DType.FLOAT32, 0, 3)), TestTensors.random(DType.FLOAT32, Shape.of(3),
        random));
  }

  @Test
  void gemmTransposesScalesAndAddsWhatStretches() {
    checkGemm(CudaTwins.FIRST);
  }

  @Test
  @Tag("long")
  void gemmTransposesScalesAndAddsWhatStretchesInOtherTypes() {
    checkGemm(CudaTwins.others(FLOATS));
  }

  private void checkGemm(List<DType> dtypes) {
    for (DType dtype : dtypes) {
      for (int round = 0; round < 10; round++) {
        boolean transA = random.nextBoolean();
        boolean transB = random.nextBoolean();
        int rows = 1 + random.nextInt(70);
        int columns = 1 + random.nextInt(70);
        int depth = 1 + random.nextInt(round == 0 ? 1000 : 40);
        List<Shape> stretching = List.of(Shape.of(rows, columns), Shape.of(columns), Shape.of(rows, 1), Shape.SCALAR,
          Shape.of(1, columns));
        Attributes attributes = factors(random.nextBoolean() ? 1 : 0.5f, random.nextInt(3) - 1)
          .with("transA", transA ? 1 : 0).with("transB", transB ? 1 : 0);
        TensorView a = TestTensors.random(dtype, transA ? Shape.of(depth, rows) : Shape.of(rows, depth), random);
        TensorView b = TestTensors.random(dtype, transB ? Shape.of(columns, depth) : Shape.of(depth, columns), random);
        TensorView c = TestTensors.random(dtype, stretching.get(round % 5), random);
        TensorType output = TensorType.of(dtype, rows, columns);
        if (round % 6 == 5) {
          twins.check("Gemm", attributes, output, 4L * depth, a, b);
        } else {
          twins.check("Gemm", attributes, output, 4L * depth, a, b, c);
        }
      }
    }
  }

  @Test
  void whatIsNotAddedDoesNotCountNotEvenWhereItIsNoNumber() {
    TensorView a = TestTensors.random(DType.FLOAT32, Shape.of(2, 3), random);
    TensorView b = TestTensors.random(DType.FLOAT32, Shape.of(3, 2), random);
    TensorView nan = TestTensors.of(DType.FLOAT32, Shape.of(1), Double.NaN);
    twins.check("Gemm", factors(1, 0), TensorType.of(DType.FLOAT32, 2, 2), 12, a, b, nan);
    TensorView odd = TestTensors.of(DType.FLOAT32, Shape.of(2, 2), Double.NaN, 1, Double.POSITIVE_INFINITY, 0);
    TensorView ones = TestTensors.of(DType.FLOAT32, Shape.of(2, 2), 1, 1, 1, 1);
    twins.check("MatMul", Attributes.NONE, odd.type(), 2, odd, ones);
  }

  /** Few tiles of many terms are summed in parts; many tiles are large ones. */
  @Test
  void longProductsAndWideOnesAreTheirTwins() {
    matmul(DType.FLOAT32, Shape.of(5, 3001), Shape.of(3001, 66), Shape.of(5, 66));
    checkWide(CudaTwins.FIRST);
    int batch = twins.loadedLikeTwo(5);
    matmul(DType.FLOAT32, Shape.of(5, 130, 33), Shape.of(batch, 5, 33, 2), Shape.of(batch, 5, 130, 2));
  }

  @Test
  @Tag("long")
  void longProductsAndWideOnesAreTheirTwinsInOtherTypes() {
    matmul(DType.FLOAT64, Shape.of(2, 70, 520), Shape.of(2, 520, 3), Shape.of(2, 70, 3));
    checkWide(List.of(DType.FLOAT16, DType.BFLOAT16, DType.INT32));
  }

  private void checkWide(List<DType> dtypes) {
    int batch = twins.loadedLikeTwo(5);
    for (DType dtype : dtypes) {
      matmul(dtype, Shape.of(batch, 9, 17), Shape.of(batch, 17, 6), Shape.of(batch, 9, 6));
    }
  }

  private void convolve(Attributes attributes, DType dtype, Shape input, Shape weights) {
    SlidingWindow window = SlidingWindow.ofWeights(attributes, input, weights);
    Shape output = window.outputShape(input.extent(0), weights.extent(0));
    TensorView x = TestTensors.random(dtype, input, random);
    TensorView w = TestTensors.random(dtype, weights, random);
    long terms = 4 * weights.elementCount(1, weights.rank());
    twins.check("Conv", attributes, new TensorType(dtype, output), terms, x, w, TestTensors.random(dtype, Shape.of(
      weights.extent(0)), random));
    if (random.nextInt(4) == 0) {
      twins.check("Conv", attributes, new TensorType(dtype, output), terms, x, w);
    }
  }

  private void convolve(Attributes attributes, Shape input, Shape weights) {
    convolve(attributes, DType.FLOAT32, input, weights);
  }

  @Test
  void convolutionsWithRandomWindowsAreTheirTwins() {
    for (int round = 0; round < 40; round++) {
      int groups = 1 + random.nextInt(3);
      int inputs = 1 + random.nextInt(4);
      int outputs = 1 + random.nextInt(round % 2 == 0 ? 8 : 30);
      Attributes attributes = with("strides", 1 + random.nextInt(3), 1 + random.nextInt(3))
        .with("dilations", AttributeValue.Ints.of(1 + random.nextInt(2), 1 + random.nextInt(3)))
        .with("pads", AttributeValue.Ints.of(random.nextInt(4), random.nextInt(4), random.nextInt(4),
          random.nextInt(4)))
        .with("group", groups);
      convolve(attributes, Shape.of(1 + random.nextInt(3), (long) inputs * groups, 7 + random.nextInt(8),
        10 + random.nextInt(12)),
        Shape.of((long) outputs * groups, inputs, 1 + random.nextInt(4), 1 + random.nextInt(
          4)));
    }
  }

  @Test
  void convolutionsOfSignalsAndVolumesAreTheirTwins() {
    checkConvolutions(CudaTwins.FIRST);
  }

  @Test
  @Tag("long")
  void convolutionsOfSignalsAndVolumesAreTheirTwinsInOtherTypes() {
    checkConvolutions(CudaTwins.others(FLOATS));
  }

  private void checkConvolutions(List<DType> dtypes) {
    for (DType dtype : dtypes) {
      convolve(with("pads", 2, 1), dtype, Shape.of(2, 3, 41), Shape.of(10, 3, 5));
      convolve(with("strides", 2).with("group", 3), dtype, Shape.of(2, 3, 41), Shape.of(3, 1, 4));
      convolve(with("strides", 2, 1, 2).with("pads", AttributeValue.Ints.of(1, 0, 1, 0, 1, 1)), dtype, Shape.of(1, 4, 5,
        6, 7), Shape.of(12, 4, 3, 2, 3));
      convolve(Attributes.NONE.with("group", 2), dtype, Shape.of(1, 4, 3, 3, 3), Shape.of(4, 2, 2, 2, 2));
    }
  }

  @Test
  @Tag("long")
  void convolutionsOfRealNetworksAreTheirTwins() {
    Attributes same = with("pads", 1, 1, 1, 1);
    convolve(with("pads", 3, 3, 3, 3).with("strides", AttributeValue.Ints.of(2, 2)), Shape.of(1, 3, 31, 31),
      Shape.of(16, 3, 7, 7));
    convolve(same, Shape.of(1, 40, 7, 7), Shape.of(50, 40, 3, 3));
    convolve(Attributes.NONE, Shape.of(2, 300, 7, 7), Shape.of(70, 300, 1, 1));
    convolve(with("strides", 2, 2), Shape.of(1, 64, 14, 14), Shape.of(32, 64, 1, 1));
    convolve(same.with("group", 3), Shape.of(1, 3, 30, 40), Shape.of(6, 1, 3, 3));
    convolve(same.with("group", 2), Shape.of(1, 32, 7, 7), Shape.of(64, 16, 3, 3));
    for (String pads : List.of("SAME_UPPER", "SAME_LOWER", "VALID")) {
      convolve(with("strides", 2, 2).with("auto_pad", new AttributeValue.Text(pads)), Shape.of(1, 5, 12, 13),
        Shape.of(9, 5, 3, 3));
    }
  }

  @Test
  void windowsWhollyInPaddingAreTheBiasAndNoImagesGiveNothing() {
    convolve(with("pads", 5, 6, 5, 6), Shape.of(1, 2, 3, 3), Shape.of(2, 2, 2, 2));
    convolve(with("pads", 5, 6, 5, 6), Shape.of(1, 2, 3, 3), Shape.of(20, 2, 2, 2));
    convolve(Attributes.NONE, Shape.of(0, 3, 6, 9), Shape.of(14, 3, 3, 3));
    convolve(Attributes.NONE.with("group", 3), Shape.of(0, 3, 6, 9), Shape.of(3, 1, 3, 3));
  }

  @Test
  void whatDoesNotFitIsRefusedAsByTheTwins() {
    TensorView a = TestTensors.random(DType.FLOAT32, Shape.of(2, 3), random);
    for (String operator : List.of("MatMul", "Gemm")) {
      assertThatThrownBy(() -> twins.run(operator, Attributes.NONE, List.of(a.type()), a, a)).isInstanceOf(
        IllegalArgumentException.class).hasMessageContaining("left=");
    }
    TensorView x = TestTensors.random(DType.FLOAT32, Shape.of(1, 6, 5, 5), random);
    TensorView w = TestTensors.random(DType.FLOAT32, Shape.of(4, 3, 1, 1), random);
    assertThatThrownBy(() -> twins.run("Conv", Attributes.NONE, List.of(TensorType.of(DType.FLOAT32, 1, 4, 5, 5)), x,
      w)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("channels and groups do not fit");
  }
}
