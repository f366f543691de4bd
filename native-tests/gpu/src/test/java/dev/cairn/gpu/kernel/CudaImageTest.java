package dev.cairn.gpu.kernel;

import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.ResizeAxis;
import dev.cairn.kernels.attribute.TransposedWindow;
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

/** Images that are resized, sampled and spread on CUDA against the portable twins. */
class CudaImageTest {
  private static final List<DType> REAL = List.of(DType.FLOAT32, DType.FLOAT64, DType.FLOAT16, DType.BFLOAT16);
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

  private static Attributes texts(String... namesAndValues) {
    Attributes all = Attributes.NONE;
    for (int i = 0; i < namesAndValues.length; i += 2) {
      all = all.with(namesAndValues[i], new AttributeValue.Text(namesAndValues[i + 1]));
    }
    return all;
  }

  private void checkResize(Attributes attributes, DType dtype, Shape shape, double... scales) {
    TensorView x = TestTensors.random(dtype, shape, random);
    TensorView factors = TestTensors.of(DType.FLOAT32, Shape.of(scales.length), scales);
    ResizeAxis[] axes = ResizeAxis.of(attributes, shape, null, factors, null);
    var output = new TensorType(dtype, Shape.of(Arrays.stream(axes).mapToLong(ResizeAxis::output).toArray()));
    twins.check("Resize", attributes, output, 16, x, null, factors);
  }

  @Test
  void imagesAreResized() {
    for (String rule : List.of("half_pixel", "pytorch_half_pixel", "half_pixel_symmetric", "asymmetric",
      "align_corners", "tf_half_pixel_for_nn")) {
      for (String mode : List.of("linear", "cubic", "nearest")) {
        Attributes attributes = texts("coordinate_transformation_mode", rule, "mode", mode);
        checkResize(attributes, DType.FLOAT32, Shape.of(1, 2, 5, 7), 1, 1, 2, 1.7);
        checkResize(attributes, DType.FLOAT32, Shape.of(2, 6, 5, 3), 1, 0.5, 0.6, 1);
      }
    }
    for (String rounding : List.of("round_prefer_floor", "round_prefer_ceil", "floor", "ceil",
      ResizeAxis.FLOOR_OR_CEIL)) {
      checkResize(texts("nearest_mode", rounding), DType.INT16, Shape.of(3, 8), 0.5, 2.5);
    }
    checkResize(texts("mode", "cubic").with("exclude_outside", 1), DType.FLOAT32, Shape.of(1, 1, 4, 6), 1, 1, 2, 0.7);
    checkResize(texts("mode", "linear"), DType.FLOAT32, Shape.of(2, 1, 2, 3, 4), 1, 1, 2, 1.5, 2);
  }

  @Test
  void smallImagesAreResized() {
    checkTypes(CudaTwins.FIRST);
  }

  @Test
  @Tag("long")
  void everyTypeIsResized() {
    checkTypes(CudaTwins.others(DType.NUMBERS));
  }

  private void checkTypes(List<DType> dtypes) {
    for (DType dtype : dtypes) {
      checkResize(texts("mode", "nearest"), dtype, Shape.of(1, 1, 4, 6), 1, 1, 2, 0.5);
      checkResize(texts("mode", "cubic"), dtype, Shape.of(1, 1, 4, 6), 1, 1, 2, 1.5);
    }
  }

  @Test
  void gridsAreSampled() {
    for (String mode : List.of("linear", "cubic", "nearest")) {
      for (String padding : List.of("zeros", "border", "reflection")) {
        Attributes attributes = texts("mode", mode, "padding_mode", padding);
        for (int align = 0; align < 2; align++) {
          TensorView x = TestTensors.random(DType.FLOAT32, Shape.of(2, 3, 5, 6), random);
          TensorView grid = TestTensors.random(DType.FLOAT32, Shape.of(2, 4, 7, 2), random);
          twins.check("GridSample", attributes.with("align_corners", align), TensorType.of(DType.FLOAT32, 2, 3, 4, 7),
            16, x, grid);
        }
      }
    }
    checkNearest(CudaTwins.FIRST);
  }

  @Test
  @Tag("long")
  void gridsOfOtherTypesAreSampled() {
    checkNearest(CudaTwins.others(DType.NUMBERS));
  }

  private void checkNearest(List<DType> dtypes) {
    for (DType dtype : dtypes) {
      TensorView x = TestTensors.random(dtype, Shape.of(1, 2, 3, 4, 5), random);
      TensorView grid = TestTensors.random(DType.FLOAT32, Shape.of(1, 3, 2, 2, 3), random);
      twins.check("GridSample", texts("mode", "nearest"), TensorType.of(dtype, 1, 2, 3, 2, 2), 64, x, grid);
    }
  }

  @Test
  void inputsAreSpread() {
    checkSpread(CudaTwins.FIRST);
  }

  @Test
  @Tag("long")
  void inputsAreSpreadInOtherTypes() {
    checkSpread(CudaTwins.others(REAL));
  }

  private void checkSpread(List<DType> dtypes) {
    for (int round = 0; round < 8 * dtypes.size(); round++) {
      DType dtype = dtypes.get(round % dtypes.size());
      int rank = 1 + random.nextInt(3);
      int groups = 1 + random.nextInt(2);
      long[] x = random.longs(rank + 2, 1, rank == 1 ? 20 : 5).toArray();
      long[] w = random.longs(rank + 2, 1, 4).toArray();
      x[1] = w[0] = groups * (1L + random.nextInt(3));
      Attributes attributes = Attributes.NONE.with("group", groups).with("strides", AttributeValue.Ints.of(random.longs(
        rank, 1, 4).toArray())).with("dilations", AttributeValue.Ints.of(random.longs(rank, 1, 3).toArray()));
      Shape y = TransposedWindow.of(attributes, Shape.of(x), Shape.of(w)).outputShape(x[0], groups * w[1]);
      twins.check("ConvTranspose", attributes, new TensorType(dtype, y), 64, TestTensors.random(dtype, Shape.of(x),
        random), TestTensors.random(dtype, Shape.of(w), random),
        TestTensors.random(dtype, Shape.of(groups * w[1]),
          random));
    }
  }
}
