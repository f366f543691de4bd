package dev.cairn.runtime.operator.gradient;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.GraphFixture;
import dev.cairn.runtime.graph.HeapTensor;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.Notation;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class PoolGradientsTest {
  @TestFactory
  Stream<DynamicTest> gradientsAreCentralDifferences() {
    return GradientDifferences.tests("""
      MaxPool{kernel_shape=[2,2], strides=[2,2]}([2x2x4x5])
      MaxPool{kernel_shape=[3,2]}([1x2x5x4])
      MaxPool{kernel_shape=[3,3], strides=[2,2], pads=[1,1,1,1]}([1x2x5x5])
      MaxPool{kernel_shape=[2,3], dilations=[2,1], pads=[0,1,1,2]}([1x1x4x5])
      MaxPool{kernel_shape=[3,3], strides=[2,2], ceil_mode=1}([1x1x4x6])
      MaxPool{kernel_shape=[2,2], auto_pad="SAME_LOWER"}([1x1x3x4])
      MaxPool{kernel_shape=[2,2], storage_order=1}([1x1x3x4]) -> 2
      MaxPool{kernel_shape=[3], strides=[2]}([2x1x7])
      MaxPool{kernel_shape=[2,1,2]}([1x1x3x2x3])
      MaxPool{kernel_shape=[2,2]}([0x2x4x4])
      AveragePool{kernel_shape=[2,2], strides=[2,2]}([2x2x4x5])
      AveragePool{kernel_shape=[3,2], pads=[1,0,1,1]}([1x2x5x4])
      AveragePool{kernel_shape=[3,2], pads=[1,0,1,1], count_include_pad=1}([1x2x5x4])
      AveragePool{kernel_shape=[3,3], strides=[2,2], ceil_mode=1}([1x1x4x6])
      AveragePool{kernel_shape=[3,3], strides=[2,2], pads=[0,1,1,0], ceil_mode=1, count_include_pad=1}([1x1x5x6])
      AveragePool{kernel_shape=[2,2], dilations=[2,3]}([1x1x5x6])
      AveragePool{kernel_shape=[3,3], auto_pad="SAME_UPPER", strides=[2,2]}([1x1x4x5])
      AveragePool{kernel_shape=[3], strides=[2]}([2x1x7])
      AveragePool{kernel_shape=[2,1,2]}([1x1x3x2x3])
      AveragePool{kernel_shape=[2,2]}([0x2x4x4])
      GlobalAveragePool([2x3x3x2])
      GlobalAveragePool([2x3x4])
      GlobalMaxPool([2x3x3x2])
      GlobalMaxPool([1x2x2x2x2])
      GlobalLpPool([1x2x3x2])
      GlobalLpPool{p=1}([1x2x4])
      GlobalLpPool{p=3}([1x2x4])
      LpPool{kernel_shape=[2,2], pads=[0,1,1,0]}([1x2x4x5])
      LpPool{kernel_shape=[3], strides=[2], ceil_mode=1, p=3}([1x2x8])
      LpPool{kernel_shape=[2,2], strides=[2,2], dilations=[2,1], p=1}([1x1x5x4])
      """);
  }

  /** The maximum of such a window is minus infinity, which has no differences. */
  @Test
  void windowsThatLieWhollyInPaddingGiveAndTakeNothing() {
    var fixture = new GraphFixture();
    NodeEntry x = fixture.constant("x", Notation.value("float64:[3,1,2,6,4,5]").reshaped(Shape.of(1, 1, 2, 3)));
    NodeEntry y = fixture.apply("y", "MaxPool{kernel_shape=[2,2], pads=[3,0,0,2]}", x);
    NodeEntry h = fixture.input("h", "float64[1x1x4x4]");
    NodeEntry gradient = fixture.apply("g", "MaxPoolGradient{kernel_shape=[2,2], pads=[3,0,0,2]}", x, y, h);
    TensorView heads = HeapTensor.allocate(TensorType.of(DType.FLOAT64, 1, 1, 4, 4));
    GradientDifferences.check(fixture.graph(gradient), Map.of("h", heads), false);
  }

  @TestFactory
  Stream<DynamicTest> firstGradientsAreCentralDifferences() {
    return Stream.of("LRN{size=3}([1x5x2x2])", "LRN{size=4, alpha=0.5, beta=1.5, bias=2.0}([2x3x2])",
      "LRN{size=1, alpha=0.1}([2x3])", "LRN{size=7, alpha=0.3}([1x4x3])").map(
        line -> DynamicTest.dynamicTest(line,
          () -> GradientDifferences.checkFirst(line)));
  }
}
