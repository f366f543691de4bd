package dev.cairn.gpu.kernel;

import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.SlidingWindow;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Reductions, normalisations and pooling on CUDA against their portable twins. */
class CudaReduceTest {
  private static final List<DType> FLOATS = List.of(DType.FLOAT32, DType.FLOAT64, DType.FLOAT16, DType.BFLOAT16);
  private static CudaTwins twins;

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

  private static Shape kept(Shape shape, long... axes) {
    long[] extents = shape.extents().clone();
    for (long axis : axes) {
      extents[shape.axis(axis)] = 1;
    }
    return Shape.of(extents);
  }

  private static Attributes ints(String name, Long... values) {
    return Attributes.NONE.with(name, new AttributeValue.Ints(Arrays.asList(values)));
  }

  @Test
  void everyReductionOverAnyAxesIsItsTwin() {
    checkReductions(CudaTwins.FIRST);
  }

  @Test
  @Tag("long")
  void everyReductionOverAnyAxesIsItsTwinInOtherTypes() {
    checkReductions(CudaTwins.others(DType.COMPUTED));
  }

  private void checkReductions(List<DType> dtypes) {
    var random = new SplittableRandom(11);
    for (String operator : List.of("ReduceSum", "ReduceMean", "ReduceProd", "ReduceMax", "ReduceMin")) {
      for (DType dtype : dtypes) {
        if (dtype == DType.BOOL && !operator.equals("ReduceMax") && !operator.equals("ReduceMin")) {
          continue;
        }
        for (long[] axes : List.of(new long[] {1}, new long[] {0, 2}, new long[] {-1}, new long[] {0, 1, 2})) {
          TensorView x = TestTensors.random(dtype, Shape.of(3, 37, 5), random);
          long count = x.elementCount() / kept(x.shape(), axes).elementCount();
          twins.check(operator, Attributes.NONE, new TensorType(dtype, kept(x.shape(), axes)), 4 * count, x, TestTensors
            .int64s(axes));
        }
      }
    }
  }

  /** Compares the reductions of numbers above 0, so that there are logarithms. */
  @Test
  void reductionsOfTermsAreTheirTwins() {
    checkReductionsOfTerms(CudaTwins.FIRST);
  }

  @Test
  @Tag("long")
  void reductionsOfTermsAreTheirTwinsInOtherTypes() {
    checkReductionsOfTerms(CudaTwins.others(DType.NUMBERS));
  }

  private void checkReductionsOfTerms(List<DType> dtypes) {
    var random = new SplittableRandom(13);
    for (String operator : List.of("ReduceL1", "ReduceL2", "ReduceSumSquare", "ReduceLogSum", "ReduceLogSumExp")) {
      for (DType dtype : dtypes) {
        if (operator.equals("ReduceLogSumExp") && !dtype.isFloat()) {
          continue;
        }
        for (long[] axes : List.of(new long[] {1}, new long[] {0, 2}, new long[] {0, 1, 2})) {
          TensorView x = TestTensors.random(dtype, Shape.of(3, 37, 5), random);
          for (long i = 0; i < x.elementCount(); i++) {
            double sign = operator.startsWith("ReduceLog") ? 1 : random.nextBoolean() ? 1 : -1;
            TestTensors.set(x, i, sign * random.nextInt(dtype.isFloat() ? 1 : 0, 9));
          }
          long count = x.elementCount() / kept(x.shape(), axes).elementCount();
          twins.check(operator, Attributes.NONE, new TensorType(dtype, kept(x.shape(), axes)), 4 * count, x, TestTensors
            .int64s(axes));
        }
      }
    }
  }

  @Test
  void longRowsShortRowsAndNoneAreReduced() {
    var random = new SplittableRandom(12);
    for (Shape shape : List.of(Shape.of(2, 5000), Shape.of(5000, 2), Shape.of(1, 1), Shape.of(4, 0), Shape.of(0, 4),
      Shape.of(33, 33), Shape.of(3, 257))) {
      for (String operator : List.of("ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin")) {
        TensorView x = TestTensors.random(DType.FLOAT32, shape, random);
        twins.check(operator, Attributes.NONE, new TensorType(DType.FLOAT32, kept(shape, 1)), 5000, x, TestTensors
          .int64s(1));
        twins.check(operator, Attributes.NONE, new TensorType(DType.FLOAT32, kept(shape, 0)), 5000, x, TestTensors
          .int64s(0));
      }
    }
  }

  @Test
  void notANumberIsTheMaximumAndTheMinimum() {
    TensorView x = TestTensors.of(DType.FLOAT32, Shape.of(2, 3), 1, Double.NaN, 2, Double.NEGATIVE_INFINITY,
      Double.NEGATIVE_INFINITY, Double.NEGATIVE_INFINITY);
    for (String operator : List.of("ReduceMax", "ReduceMin", "ReduceSum")) {
      twins.check(operator, Attributes.NONE, TensorType.of(DType.FLOAT32, 2, 1), 3, x, TestTensors.int64s(1));
    }
    twins.check("Softmax", Attributes.NONE, x.type(), 3, x);
  }

  @Test
  void softmaxGoesAlongAnyAxis() {
    checkSoftmax(CudaTwins.FIRST);
  }

  @Test
  @Tag("long")
  void softmaxGoesAlongAnyAxisInOtherTypes() {
    checkSoftmax(CudaTwins.others(FLOATS));
  }

  private void checkSoftmax(List<DType> dtypes) {
    var random = new SplittableRandom(13);
    for (DType dtype : dtypes) {
      for (int axis = 0; axis < 3; axis++) {
        TensorView x = TestTensors.random(dtype, Shape.of(2, 40, 3), random);
        twins.check("Softmax", Attributes.NONE.with("axis", axis), x.type(), 40, x);
      }
    }
    TensorView wide = TestTensors.random(DType.FLOAT32, Shape.of(3, 1001), random);
    twins.check("Softmax", Attributes.NONE, wide.type(), 1001, wide);
  }

  @Test
  void runningSumsGoBothWays() {
    checkRunningSums(CudaTwins.FIRST);
  }

  @Test
  @Tag("long")
  void runningSumsGoBothWaysInOtherTypes() {
    checkRunningSums(List.of(DType.FLOAT64, DType.INT32, DType.INT64));
  }

  private void checkRunningSums(List<DType> dtypes) {
    var random = new SplittableRandom(14);
    for (DType dtype : dtypes) {
      for (int flags = 0; flags < 4; flags++) {
        TensorView x = TestTensors.random(dtype, Shape.of(4, 9, 3), random);
        twins.check("CumSum", Attributes.NONE.with("exclusive", flags & 1).with("reverse", flags >> 1), x.type(), 40, x,
          TestTensors.ofLongs(DType.INT64, Shape.SCALAR, 1));
      }
    }
  }

  @Test
  void rowsPlanesAndChannelsAreNormalised() {
    checkNormalisations(CudaTwins.FIRST);
  }

  @Test
  @Tag("long")
  void rowsPlanesAndChannelsAreNormalisedInOtherTypes() {
    checkNormalisations(CudaTwins.others(FLOATS));
  }

  private void checkNormalisations(List<DType> dtypes) {
    var random = new SplittableRandom(15);
    for (DType dtype : dtypes) {
      TensorView x = TestTensors.random(dtype, Shape.of(2, 6, 5, 7), random);
      TensorView scale = TestTensors.random(dtype, Shape.of(6), random);
      TensorView bias = TestTensors.random(dtype, Shape.of(6), random);
      TensorView variance = TestTensors.of(dtype, Shape.of(6), 0.5, 1, 2, 3, 4, 5);
      twins.check("BatchNormalization", Attributes.NONE, x.type(), 8, x, scale, bias, bias, variance);
      twins.check("InstanceNormalization", Attributes.NONE, x.type(), 70, x, scale, bias);
      twins.check("LRN", Attributes.NONE.with("size", 5), x.type(), 8, x);
      twins.check("GroupNormalization", Attributes.NONE.with("num_groups", 3), x.type(), 70, x, scale, bias);
      twins.check("LogSoftmax", Attributes.NONE.with("axis", 1), x.type(), 12, x);
      twins.check("LogSoftmax", Attributes.NONE, x.type(), 14, x);
      TensorView rows = TestTensors.random(dtype, Shape.of(3, 4, 6), random);
      twins.check("RMSNormalization", Attributes.NONE, rows.type(), 70, rows, scale);
      twins.check("RMSNormalization", Attributes.NONE.with("axis", 1), rows.type(), 70, rows, scale);
      twins.check("LayerNormalization", Attributes.NONE, rows.type(), 70, rows, scale, bias);
      twins.check("LayerNormalization", Attributes.NONE.with("axis", 1), rows.type(), 70, rows, scale);
      TensorView ofRows = TestTensors.random(dtype, Shape.of(3, 1, 6), random);
      TensorView before = TestTensors.random(dtype, Shape.of(1, 1, 6), random);
      twins.check("LayerNormalization", Attributes.NONE, rows.type(), 70, rows, ofRows, bias);
      twins.check("LayerNormalization", Attributes.NONE, rows.type(), 70, rows, before, ofRows);
      twins.check("LayerNormalization", Attributes.NONE.with("axis", 1), rows.type(), 70, rows, before, before);
      twins.check("RMSNormalization", Attributes.NONE, rows.type(), 70, rows, ofRows);
      twins.check("RMSNormalization", Attributes.NONE.with("axis", 1), rows.type(), 70, rows, before);
    }
  }

  @Test
  void layerNormalisationTellsItsMoments() {
    var random = new SplittableRandom(16);
    TensorView x = TestTensors.random(DType.FLOAT32, Shape.of(5, 300), random);
    TensorView scale = TestTensors.random(DType.FLOAT32, Shape.of(300), random);
    TensorType moment = TensorType.of(DType.FLOAT32, 5, 1);
    twins.checkAll("LayerNormalization", Attributes.NONE, List.of(x.type(), moment, moment), 300, x, scale);
  }

  @Test
  void windowsSlideAsTheirTwinsDo() {
    checkWindows(CudaTwins.FIRST);
  }

  @Test
  @Tag("long")
  void windowsSlideAsTheirTwinsDoInOtherTypes() {
    checkWindows(List.of(DType.FLOAT64, DType.FLOAT16, DType.BFLOAT16, DType.INT8));
  }

  private void checkWindows(List<DType> dtypes) {
    var random = new SplittableRandom(17);
    List<Attributes> windows = List.of(ints("kernel_shape", 3L, 3L), ints("kernel_shape", 2L, 3L).with("strides",
      new AttributeValue.Ints(List.of(2L, 1L))).with("pads", new AttributeValue.Ints(List.of(1L, 1L, 0L, 2L))),
      ints("kernel_shape", 3L, 2L).with("dilations", new AttributeValue.Ints(List.of(2L, 1L))).with("ceil_mode", 1)
        .with("strides", new AttributeValue.Ints(List.of(2L, 2L))));
    for (Attributes attributes : windows) {
      Shape input = Shape.of(2, 3, 9, 8);
      SlidingWindow window = SlidingWindow.of(attributes, input, attributes.getLongs("kernel_shape"));
      Shape output = window.outputShape(2, 3);
      TensorType indices = new TensorType(DType.INT64, output);
      for (DType dtype : dtypes) {
        TensorView x = TestTensors.random(dtype, input, random);
        if (dtype.isFloat()) {
          twins.check("AveragePool", attributes, new TensorType(dtype, output), 9, x);
          twins.check("AveragePool", attributes.with("count_include_pad", 1), new TensorType(dtype, output), 9, x);
          twins.check("MaxPool", attributes, new TensorType(dtype, output), 1, x);
        }
        twins.checkAll("MaxPool", attributes, List.of(new TensorType(dtype, output), indices), 1, x);
        twins.checkAll("MaxPool", attributes.with("storage_order", 1), List.of(new TensorType(dtype, output), indices),
          1, x);
      }
    }
  }

  @Test
  void windowsMayBeFarLargerThanTheInput() {
    checkHugeWindows(CudaTwins.FIRST);
  }

  @Test
  @Tag("long")
  void windowsMayBeFarLargerThanTheInputInOtherTypes() {
    checkHugeWindows(CudaTwins.others(FLOATS));
  }

  private void checkHugeWindows(List<DType> dtypes) {
    var random = new SplittableRandom(19);
    AttributeValue same = new AttributeValue.Text("SAME_UPPER");
    for (DType dtype : dtypes) {
      TensorView cube = TestTensors.random(dtype, Shape.of(1, 2, 4, 3, 4), random);
      Attributes huge = ints("kernel_shape", 1L << 20, 1L << 20, 1L << 20).with("auto_pad", same);
      twins.check("AveragePool", huge, cube.type(), 64, cube);
      twins.check("MaxPool", huge, cube.type(), 1, cube);
      // A product of 2^93 taps.
      long most = Integer.MAX_VALUE;
      Attributes padded = ints("kernel_shape", most, most, most).with("auto_pad", same).with("count_include_pad", 1);
      TensorView small = TestTensors.random(dtype, Shape.of(1, 1, 2, 2, 2), random);
      twins.check("AveragePool", padded, small.type(), 8, small);
    }
  }

  @Test
  void windowsMayBeginInPaddingAtTheEnd() {
    var random = new SplittableRandom(20);
    Attributes up = ints("kernel_shape", 5L, 3L).with("ceil_mode", 1).with("strides", new AttributeValue.Ints(List.of(
      3L, 2L)));
    TensorView small = TestTensors.random(DType.FLOAT32, Shape.of(1, 2, 3, 2), random);
    twins.check("AveragePool", up.with("count_include_pad", 1), TensorType.of(DType.FLOAT32, 1, 2, 1, 1), 6, small);
    twins.check("MaxPool", up, TensorType.of(DType.FLOAT32, 1, 2, 1, 1), 1, small);
  }

  @Test
  void windowsHaveOneOrThreeAxesAndWholePlanesArePooled() {
    checkPlanes(CudaTwins.FIRST);
  }

  @Test
  @Tag("long")
  void windowsHaveOneOrThreeAxesAndWholePlanesArePooledInOtherTypes() {
    checkPlanes(CudaTwins.others(FLOATS));
  }

  private void checkPlanes(List<DType> dtypes) {
    var random = new SplittableRandom(18);
    TensorView line = TestTensors.random(DType.FLOAT32, Shape.of(1, 2, 11), random);
    twins.check("MaxPool", ints("kernel_shape", 4L), TensorType.of(DType.FLOAT32, 1, 2, 8), 1, line);
    TensorView cube = TestTensors.random(DType.FLOAT32, Shape.of(1, 2, 4, 5, 3), random);
    twins.check("AveragePool", ints("kernel_shape", 2L, 2L, 2L), TensorType.of(DType.FLOAT32, 1, 2, 3, 4, 2), 8, cube);
    for (DType dtype : dtypes) {
      TensorView x = TestTensors.random(dtype, Shape.of(2, 3, 7, 50), random);
      twins.check("GlobalAveragePool", Attributes.NONE, TensorType.of(dtype, 2, 3, 1, 1), 350, x);
      twins.check("GlobalMaxPool", Attributes.NONE, TensorType.of(dtype, 2, 3, 1, 1), 1, x);
    }
  }
}
