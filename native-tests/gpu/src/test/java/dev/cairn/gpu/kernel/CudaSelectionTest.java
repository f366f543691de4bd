package dev.cairn.gpu.kernel;

import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.attribute.Attributes;
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

/** Extreme elements and their places on CUDA against the portable twins: the same bits. */
class CudaSelectionTest {
  private static CudaTwins twins;

  private final SplittableRandom random = new SplittableRandom(61);

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

  private static Shape with(Shape shape, int axis, long extent) {
    long[] extents = shape.extents().clone();
    extents[axis] = extent;
    return Shape.of(extents);
  }

  /** Many equal elements, as random whole numbers of few values; and random bits, with infinities and NaN. */
  private List<TensorView> data(DType dtype, Shape shape) {
    TensorView few = TestTensors.random(dtype, shape, random);
    for (long i = 0; i < few.elementCount(); i++) {
      TestTensors.set(few, i, (double) random.nextInt(0, 4));
    }
    return List.of(few, TestTensors.randomBits(dtype, shape, random));
  }

  @Test
  void placesOfExtremeElements() {
    checkPlaces(CudaTwins.FIRST);
  }

  @Test
  @Tag("long")
  void placesOfExtremeElementsInOtherTypes() {
    checkPlaces(CudaTwins.others(DType.NUMBERS));
  }

  private void checkPlaces(List<DType> dtypes) {
    for (DType dtype : dtypes) {
      for (TensorView x : data(dtype, Shape.of(3, 70, 2))) {
        for (int axis = 0; axis < 3; axis++) {
          var type = new TensorType(DType.INT64, with(x.shape(), axis, 1));
          for (String operator : List.of("ArgMax", "ArgMin")) {
            twins.check(operator, Attributes.NONE.with("axis", axis), type, 1, x);
            twins.check(operator, Attributes.NONE.with("axis", axis).with("select_last_index", 1), type, 1, x);
          }
        }
      }
    }
    TensorView line = TestTensors.random(DType.FLOAT32, Shape.of(2, 3000), random);
    twins.check("ArgMax", Attributes.NONE.with("axis", 1).with("keepdims", 0), TensorType.of(DType.INT64, 2), 1, line);
  }

  @Test
  void theGreatestAndTheLeastInTheirOrder() {
    checkOrder(CudaTwins.FIRST);
  }

  @Test
  @Tag("long")
  void theGreatestAndTheLeastInTheirOrderInOtherTypes() {
    checkOrder(CudaTwins.others(DType.NUMBERS));
  }

  private void checkOrder(List<DType> dtypes) {
    for (DType dtype : dtypes) {
      for (TensorView x : data(dtype, Shape.of(2, 40, 3))) {
        for (int k : new int[] {1, 7, 40}) {
          top(x, 1, k);
        }
        top(x, -1, 2);
      }
    }
  }

  @Test
  void linesOfManyElementsAndOfNone() {
    TensorView x = TestTensors.random(DType.FLOAT32, Shape.of(2, 5000), random);
    top(x, 1, 300);
    top(x, 1, 0);
    top(TestTensors.zeros(TensorType.of(DType.INT32, 700)), 0, 600);
  }

  private void top(TensorView x, int axis, int k) {
    Shape shape = with(x.shape(), x.shape().axis(axis), k);
    List<TensorType> types = List.of(new TensorType(x.dtype(), shape), new TensorType(DType.INT64, shape));
    for (int largest = 0; largest < 2; largest++) {
      twins.checkAll("TopK", Attributes.NONE.with("axis", axis).with("largest", largest), types, 1, x,
        TestTensors.int64s(
          k));
    }
  }
}
