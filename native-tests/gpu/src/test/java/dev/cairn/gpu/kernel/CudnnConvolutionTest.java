package dev.cairn.gpu.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.gpu.CudaUnderTest;
import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.SlidingWindow;
import dev.cairn.kernels.catalog.KernelRow.Twin;
import dev.cairn.kernels.cuda.blas.GemmPrecision;
import dev.cairn.kernels.cuda.convolution.ConvolutionChoice;
import dev.cairn.kernels.cuda.convolution.KernelTimer;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Convolutions by cuDNN against the portable twin, and those that are left to other kernels. */
class CudnnConvolutionTest {
  private static final List<DType> DTYPES = List.of(DType.FLOAT32, DType.FLOAT16, DType.BFLOAT16);
  private static CudaTwins twins;
  private final SplittableRandom random = new SplittableRandom(61);

  @BeforeAll
  static void open() {
    twins = CudaTwins.openWithCudnn(GemmPrecision.FLOAT32, ConvolutionChoice.CUDNN, KernelTimer.ofDevice());
  }

  @AfterAll
  static void close() {
    if (twins != null) {
      twins.close();
    }
  }

  private Twin convolve(CudaTwins on, Attributes attributes, DType dtype, Shape input, Shape weights) {
    SlidingWindow window = SlidingWindow.ofWeights(attributes, input, weights);
    TensorType output = new TensorType(dtype, window.outputShape(input.extent(0), weights.extent(0)));
    TensorView x = TestTensors.random(dtype, input, random);
    TensorView w = TestTensors.random(dtype, weights, random);
    TensorView bias = TestTensors.random(dtype, Shape.of(weights.extent(0)), random);
    long terms = 4 * weights.elementCount(1, weights.rank());
    on.check("Conv", attributes, output, terms, x, w, bias);
    on.check("Conv", attributes, output, terms, x, w);
    return on.twin("Conv", attributes, List.of(output), x, w, bias);
  }

  private static Attributes window(long[] pads, long[] strides, long[] dilations, int groups) {
    return Attributes.NONE.with("pads", AttributeValue.Ints.of(pads)).with("strides", AttributeValue.Ints.of(strides))
      .with("dilations", AttributeValue.Ints.of(dilations)).with("group", groups);
  }

  private long[] upTo(int axes, int least, int most) {
    return random.ints(axes, least, most + 1).asLongStream().toArray();
  }

  @Test
  void oneTwoAndThreeSpatialAxesOfEveryTypeAreTheirTwins() {
    for (DType dtype : DTYPES) {
      assertThat(convolve(twins, Attributes.NONE, dtype, Shape.of(2, 3, 9), Shape.of(4, 3, 3))).isEqualTo(
        Twin.MEASURED);
      assertThat(convolve(twins, Attributes.NONE, dtype, Shape.of(1, 1, 1, 1), Shape.of(1, 1, 1, 1))).isEqualTo(
        Twin.MEASURED);
      assertThat(convolve(twins, Attributes.NONE, dtype, Shape.of(3, 4, 7, 5), Shape.of(33, 4, 3, 3))).isEqualTo(
        Twin.MEASURED);
      assertThat(convolve(twins, Attributes.NONE, dtype, Shape.of(2, 3, 4, 5, 6), Shape.of(5, 3, 2, 1, 3))).isEqualTo(
        Twin.MEASURED);
    }
  }

  /** Paddings at both ends are alike in three of four rounds; in the others the last windows may or may not need it. */
  @Test
  void randomConvolutionsAreTheirTwinsWhoeverServes() {
    int served = 0;
    int left = 0;
    for (int round = 0; round < 60; round++) {
      int axes = 1 + random.nextInt(round % 4 == 0 ? 3 : 2);
      int groups = round % 3 == 0 ? 1 + random.nextInt(4) : 1;
      long[] kernel = upTo(axes, 1, 3);
      long[] dilations = upTo(axes, 1, round % 5 == 0 ? 3 : 1);
      long[] pads = upTo(2 * axes, 0, 2);
      if (round % 4 != 3) {
        System.arraycopy(pads, 0, pads, axes, axes);
      }
      long[] input = new long[axes + 2];
      long[] weights = new long[axes + 2];
      input[0] = 1L + random.nextInt(3);
      weights[1] = 1L + random.nextInt(5);
      input[1] = weights[1] * groups;
      weights[0] = (1L + random.nextInt(9)) * groups;
      for (int axis = 0; axis < axes; axis++) {
        weights[axis + 2] = kernel[axis];
        input[axis + 2] = (kernel[axis] - 1) * dilations[axis] + 1 + random.nextInt(6);
      }
      Twin twin = convolve(twins, window(pads, upTo(axes, 1, 3), dilations, groups), DTYPES.get(round % 3), Shape.of(
        input), Shape.of(weights));
      served += twin == Twin.MEASURED ? 1 : 0;
      left += twin == Twin.CUDA ? 1 : 0;
    }
    assertThat(served).isGreaterThan(30);
    assertThat(left).isPositive();
    assertThat(served + left).isEqualTo(60);
  }

  @Test
  void unequalPaddingsAreServedWhereNoWindowNeedsTheDifference() {
    Shape input = Shape.of(1, 2, 8, 8);
    Shape weights = Shape.of(3, 2, 3, 3);
    Attributes halved = Attributes.NONE.with("strides", AttributeValue.Ints.of(2, 2));
    Attributes harmless = halved.with("pads", AttributeValue.Ints.of(1, 1, 0, 0));
    assertThat(convolve(twins, harmless, DType.FLOAT32, input, weights)).isEqualTo(Twin.MEASURED);
    Attributes needed = halved.with("pads", AttributeValue.Ints.of(0, 0, 1, 1));
    assertThat(convolve(twins, needed, DType.FLOAT32, input, weights)).isEqualTo(Twin.CUDA);
    Attributes same = halved.with("auto_pad", new AttributeValue.Text("SAME_UPPER"));
    assertThat(convolve(twins, same, DType.FLOAT32, input, weights)).isEqualTo(Twin.CUDA);
  }

  @Test
  void whatCudnnDoesNotKnowIsLeftToOtherKernels() {
    assertThat(convolve(twins, Attributes.NONE, DType.FLOAT64, Shape.of(1, 2, 5, 5), Shape.of(2, 2, 3, 3))).isEqualTo(
      Twin.CUDA);
    assertThat(convolve(twins, Attributes.NONE, DType.FLOAT32, Shape.of(0, 2, 5, 5), Shape.of(2, 2, 3, 3))).isEqualTo(
      Twin.CUDA);
  }

  /** The simulator does not do these with the first that it advises, nor does a GPU with the same. */
  @Test
  void everyAlgorithmThatIsTriedIsItsTwin() {
    for (int fastest = 0; fastest < 4; fastest++) {
      int[] turn = {0};
      int wanted = fastest;
      try (CudaTwins measured = CudaTwins.openWithCudnn(GemmPrecision.FLOAT32, ConvolutionChoice.MEASURED, (_,
        _) -> turn[0]++ % 4 == wanted ? 1 : 2)) {
        for (DType dtype : DTYPES) {
          turn[0] = 0;
          TensorView x = TestTensors.random(dtype, Shape.of(2, 3, 8, 7), random);
          TensorView w = TestTensors.random(dtype, Shape.of(9, 3, 3, 3), random);
          measured.check("Conv", Attributes.NONE.with("pads", AttributeValue.Ints.of(1, 1, 1, 1)), TensorType.of(dtype,
            2, 9, 8, 7), 108, x, w);
          assertThat(turn[0]).isBetween(2, 4);
        }
      }
    }
  }

  /** What counts is whether bits beyond the tenth make a difference, which they do not on tensor cores. */
  @Test
  void everyBitOfAFloatCountsUnlessFewerAreAllowed() {
    float[] exact = {1 + 0x1p-12f, 1 - 0x1p-13f, 1 + 0x1p-11f + 0x1p-20f};
    TensorView x = TestTensors.of(DType.FLOAT32, Shape.of(1, 1, 3), exact[0], exact[1], exact[2]);
    TensorView one = TestTensors.of(DType.FLOAT32, Shape.of(1, 1, 1), 1);
    TensorType output = TensorType.of(DType.FLOAT32, 1, 1, 3);
    assertThat(floats(twins.run("Conv", Attributes.NONE, List.of(output), x, one).getFirst())).isEqualTo(exact);
    try (CudaTwins rounded = CudaTwins.openWithCudnn(GemmPrecision.TENSOR_FLOAT32, ConvolutionChoice.CUDNN, KernelTimer
      .ofDevice())) {
      float[] actual = floats(rounded.run("Conv", Attributes.NONE, List.of(output), x, one).getFirst());
      for (int i = 0; i < 3; i++) {
        assertThat(Math.abs(actual[i] - exact[i])).isLessThanOrEqualTo(0x1p-10f);
      }
      if (!CudaUnderTest.isReal()) {
        assertThat(Arrays.equals(actual, exact)).as("a GPU need not round, the simulator does").isFalse();
      }
    }
  }

  private static float[] floats(TensorView view) {
    float[] values = new float[Math.toIntExact(view.elementCount())];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) view.doubleAt(i);
    }
    return values;
  }
}
