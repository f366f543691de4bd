package dev.cairn.gpu.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.KernelRunner;
import dev.cairn.kernels.PointwiseCase;
import dev.cairn.kernels.ProductCase;
import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.FusedProduct;
import dev.cairn.kernels.row.StandardKernels;
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

/**
 * Products and convolutions on CUDA with programs compiled into their kernels, against the portable kernels of both run
 * one after the other. Each case compiles a source: there are few.
 */
class CudaFusedProductTest {
  private static final List<DType> FLOATS = List.of(DType.FLOAT32, DType.FLOAT16, DType.FLOAT64, DType.BFLOAT16);
  private static CudaTwins twins;
  private final SplittableRandom random = new SplittableRandom(53);

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

  private static ProductCase product(int seed) {
    DType dtype = FLOATS.get(seed / 3 % 4);
    return switch (seed % 3) {
      case 0 -> ProductCase.conv(seed, dtype);
      case 1 -> ProductCase.matmul(seed, dtype);
      default -> ProductCase.gemm(seed, dtype);
    };
  }

  /** Sums are exact, and so are the steps: then also the bits of what they make are those of the portable kernels. */
  private static void checkExact(CudaTwins on, int cases) {
    try (var runner = new KernelRunner(StandardKernels.portableRows(), 1)) {
      for (int seed = 0; seed < cases; seed++) {
        ProductCase product = product(seed);
        PointwiseCase program = product.program(seed, true);
        List<TensorView> expected = product.unfused(runner, program);
        List<TensorView> actual = on.run(FusedProduct.OPERATOR, product.fused(program), program.outputTypes(), product
          .inputs(program));
        for (int i = 0; i < expected.size(); i++) {
          KernelRunner.checkNumbers("seed %d result %d of %s and %s".formatted(seed, i, product, program.program()),
            expected.get(i), actual.get(i));
        }
      }
    }
  }

  @Test
  @Tag("long")
  void exactStepsAfterExactSumsGiveTheBitsOfThePortableKernels() {
    checkExact(twins, 5);
  }

  @Test
  @Tag("soak")
  void exactStepsAfterExactSumsGiveTheBitsOfThePortableKernelsForLong() {
    checkExact(twins, 200);
  }

  @Test
  @Tag("long")
  void soTheyDoWhereFloatsAreReadWithFewBits() {
    try (var rounded = CudaTwins.openWithTensorFloats()) {
      checkExact(rounded, 2);
    }
  }

  private static Attributes fused(String product, String program) {
    return Attributes.NONE.with("product", new AttributeValue.Text(product)).with("program", new AttributeValue.Text(
      program));
  }

  /** One source for many extents: small tiles, large tiles, and parts that are joined. */
  @Test
  void tilesAndJoinedPartsRunTheProgramOnce() {
    Attributes attributes = fused("MatMul",
      "%0 = Add(x0, x1) float32; %1 = Mul(%0, x2) float32; %2 = Relu(%1) float32; return %2");
    int batch = twins.loadedLikeTwo(5);
    for (Shape left : List.of(Shape.of(1, 5, 3001), Shape.of(batch, 130, 33), Shape.of(2, 64, 16), Shape.of(0, 3, 4),
      Shape.of(2, 3, 0))) {
      long depth = left.extent(2);
      TensorType output = TensorType.of(DType.FLOAT32, left.extent(0), left.extent(1), 66);
      twins.check(FusedProduct.OPERATOR, attributes, output, 8 * depth + 8, tensor(left), tensor(Shape.of(depth, 66)),
        null, tensor(Shape.of(66)), tensor(output.shape()));
    }
  }

  @Test
  void convolutionsOfAllWaysRunTheProgramOnce() {
    Attributes attributes = fused("Conv", "%0 = Add(x0, x1) float32; %1 = HardSwish(%0) float32; return %1")
      .with("product.pads", AttributeValue.Ints.of(1, 1, 1, 1));
    for (Shape weights : List.of(Shape.of(6, 3, 3, 3), Shape.of(70, 40, 3, 3), Shape.of(140, 3, 3, 3))) {
      Shape input = Shape.of(2, weights.extent(1), 9, 12);
      TensorType output = TensorType.of(DType.FLOAT32, 2, weights.extent(0), 9, 12);
      TensorView bias = random.nextBoolean() ? tensor(Shape.of(weights.extent(0))) : null;
      twins.check(FusedProduct.OPERATOR, attributes, output, 4 * weights.elementCount(1, 4) + 8, tensor(input), tensor(
        weights), bias, tensor(output.shape()));
    }
  }

  /** 1 + 2^-12 squared is not a float: contracted with the sum that takes it away, its last bit would be left. */
  @Test
  void aStepThatMultipliesIsRoundedBeforeTheNextAdds() {
    TensorView one = TestTensors.of(DType.FLOAT32, Shape.of(1, 1), 1);
    TensorView near = TestTensors.of(DType.FLOAT32, Shape.of(1, 1), 1 + 0x1p-12);
    TensorView square = TestTensors.of(DType.FLOAT32, Shape.of(1, 1), 1 + 0x1p-11);
    TensorView y = twins.run(FusedProduct.OPERATOR, fused("MatMul",
      "%0 = Mul(x0, x1) float32; %1 = Sub(%0, x2) float32; return %1"), List.of(one.type()), near, one, null, near,
      square).getFirst();
    assertThat(y.doubleAt(0)).isZero();
  }

  @Test
  void aLongProgramIsLeftToALaunchOfItsOwn() {
    StringBuilder program = new StringBuilder("%0 = Neg(x0) float32; ");
    for (int step = 1; step < 40; step++) {
      program.append("%%%d = Neg(%%%d) float32; ".formatted(step, step - 1));
    }
    TensorView x = tensor(Shape.of(3, 3));
    assertThat(twins.serves(FusedProduct.OPERATOR, KernelRunner.signature(fused("MatMul", program + "return %39"), List
      .of(x.type()), x, x, null))).isFalse();
    assertThat(twins.serves(FusedProduct.OPERATOR, KernelRunner.signature(fused("MatMul",
      "%0 = Neg(x0) float32; return %0"), List.of(x.type()), x, x, null))).isTrue();
  }

  private TensorView tensor(Shape shape) {
    return TestTensors.random(DType.FLOAT32, shape, random);
  }
}
