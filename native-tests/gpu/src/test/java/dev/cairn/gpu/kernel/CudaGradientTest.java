package dev.cairn.gpu.kernel;

import dev.cairn.kernels.KernelRunner;
import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.SlidingWindow;
import dev.cairn.kernels.row.PoolKernels;
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

/** Gradients of convolutions, pools and LRN on CUDA against their portable twins. */
class CudaGradientTest {
  private static final List<DType> FLOATS = List.of(DType.FLOAT32, DType.FLOAT64, DType.FLOAT16, DType.BFLOAT16);
  private static CudaTwins twins;
  private static KernelRunner processor;

  private final SplittableRandom random = new SplittableRandom(29);

  @BeforeAll
  static void open() {
    twins = CudaTwins.open();
    processor = new KernelRunner(PoolKernels.ROWS, 1);
  }

  @AfterAll
  static void close() {
    if (twins != null) {
      twins.close();
      processor.close();
    }
  }

  private static AttributeValue ints(long... values) {
    return AttributeValue.Ints.of(values);
  }

  private static Attributes kernel(long... values) {
    return Attributes.NONE.with("kernel_shape", ints(values));
  }

  private void checkWeights(List<DType> dtypes, Attributes attributes, long filters, long... x) {
    Shape input = Shape.of(x);
    long[] kernel = attributes.getLongs("kernel_shape");
    Shape h = SlidingWindow.of(attributes, input, kernel).outputShape(x[0], filters);
    long[] weights = new long[x.length];
    weights[0] = filters;
    weights[1] = x[1] / attributes.getLong("group", 1);
    System.arraycopy(kernel, 0, weights, 2, kernel.length);
    for (DType dtype : dtypes) {
      twins.check("ConvWeightGradient", attributes, TensorType.of(dtype, weights), 16 * h.elementCount() / filters,
        TestTensors.random(dtype, input, random), TestTensors.random(dtype, h, random));
    }
  }

  @Test
  void gradientsOfWeights() {
    checkWeights(CudaTwins.FIRST);
  }

  @Test
  @Tag("long")
  void gradientsOfWeightsInOtherTypes() {
    checkWeights(CudaTwins.others(FLOATS));
  }

  private void checkWeights(List<DType> dtypes) {
    checkWeights(dtypes, kernel(3, 3), 4, 2, 3, 7, 8);
    checkWeights(dtypes, kernel(3, 2).with("pads", ints(1, 0, 2, 1)).with("strides", ints(2, 1)).with("group", 2), 6, 3,
      4, 8, 9);
    checkWeights(dtypes, kernel(2, 3).with("dilations", ints(3, 2)), 2, 1, 2, 9, 9);
    checkWeights(dtypes, kernel(4).with("auto_pad", new AttributeValue.Text("SAME_UPPER")), 3, 2, 2, 11);
    checkWeights(dtypes, kernel(2, 1, 2).with("strides", ints(1, 2, 2)), 2, 2, 1, 4, 5, 6);
  }

  private void checkPools(List<DType> dtypes, Attributes attributes, long... x) {
    Shape input = Shape.of(x);
    Shape pooled = SlidingWindow.of(attributes, input, attributes.getLongs("kernel_shape")).outputShape(x[0], x[1]);
    for (DType dtype : dtypes) {
      var type = new TensorType(dtype, input);
      TensorView ties = TestTensors.random(dtype, input, random);
      for (int i = 0; i < ties.elementCount(); i++) {
        int which = random.nextInt(20);
        TestTensors.set(ties, i, which == 0 ? Double.NaN : which % 3);
      }
      TensorView y = processor.run("MaxPool", attributes, type.withShape(pooled), ties);
      TensorView h = TestTensors.random(dtype, pooled, random);
      twins.check("MaxPoolGradient", attributes, type, 64, ties, y, h);
      Attributes shaped = attributes.with("output_shape", ints(Arrays.copyOfRange(x, 2, x.length)));
      twins.check("AveragePoolGradient", shaped, type, 64, h);
      twins.check("AveragePoolGradient", shaped.with("count_include_pad", 1), type, 64, h);
    }
  }

  @Test
  void gradientsOfPools() {
    checkPools(CudaTwins.FIRST);
  }

  @Test
  @Tag("long")
  void gradientsOfPoolsInOtherTypes() {
    checkPools(CudaTwins.others(FLOATS));
  }

  private void checkPools(List<DType> dtypes) {
    checkPools(dtypes, kernel(2, 2).with("strides", ints(2, 2)), 2, 3, 6, 8);
    checkPools(dtypes, kernel(3, 3), 1, 2, 7, 6);
    checkPools(dtypes, kernel(3, 2).with("dilations", ints(2, 3)).with("pads", ints(1, 2, 0, 1)), 1, 2, 9, 8);
    checkPools(dtypes, kernel(3, 2).with("strides", ints(2, 3)).with("ceil_mode", 1), 1, 2, 8, 9);
    checkPools(dtypes, kernel(3).with("strides", ints(2)).with("pads", ints(1, 1)), 2, 2, 11);
    checkPools(dtypes, kernel(2, 3, 2).with("strides", ints(1, 2, 2)), 1, 2, 4, 5, 6);
    checkPools(dtypes, kernel(1 << 20, 1 << 20).with("auto_pad", new AttributeValue.Text("SAME_UPPER")), 1, 2, 3, 4);
  }

  @Test
  void gradientsOfLocalResponses() {
    checkLocalResponses(CudaTwins.FIRST);
  }

  @Test
  @Tag("long")
  void gradientsOfLocalResponsesInOtherTypes() {
    checkLocalResponses(CudaTwins.others(FLOATS));
  }

  private void checkLocalResponses(List<DType> dtypes) {
    for (int size = 1; size < 6; size++) {
      Attributes attributes = Attributes.NONE.with("size", size).with("alpha", new AttributeValue.Real(0.5f));
      for (DType dtype : dtypes) {
        TensorView x = TestTensors.random(dtype, Shape.of(2, 5, 3, 4), random);
        twins.check("LrnGradient", attributes, x.type(), 64, x, TestTensors.random(dtype, x.shape(), random));
      }
    }
  }
}
