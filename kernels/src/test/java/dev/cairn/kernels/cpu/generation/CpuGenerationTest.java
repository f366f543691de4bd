package dev.cairn.kernels.cpu.generation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.KernelRunner;
import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.row.GenerationKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class CpuGenerationTest {

  private static TensorView run(String operator, Attributes attributes, TensorType type, TensorView... inputs) {
    return KernelRunner.checkTwins(GenerationKernels.ROWS, operator, attributes, List.of(type), 1, inputs).getFirst();
  }

  @Test
  void rangesOfEveryType() {
    for (DType dtype : DType.COMPUTED) {
      if (dtype != DType.BOOL) {
        var start = TestTensors.of(dtype, Shape.SCALAR, 3);
        var limit = TestTensors.of(dtype, Shape.SCALAR, 12);
        var delta = TestTensors.of(dtype, Shape.SCALAR, 2);
        var y = run("Range", Attributes.NONE, TensorType.of(dtype, 5), start, limit, delta);
        assertThat(TestTensors.doubles(y)).containsExactly(3, 5, 7, 9, 11);
      }
    }
  }

  @Test
  void rangeDownwardsAndLong() {
    var y = run("Range", Attributes.NONE, TensorType.of(DType.INT32, 1000),
      TensorView.ofLongs(5).reshaped(Shape.SCALAR), TensorView.ofLong(-2995), TensorView.ofLong(-3));
    assertThat(y.longAt(0)).isEqualTo(5);
    assertThat(y.longAt(999)).isEqualTo(5 - 3 * 999);
    var none = run("Range", Attributes.NONE, TensorType.of(DType.INT64, 0), TensorView.ofLong(5), TensorView.ofLong(5),
      TensorView.ofLong(1));
    assertThat(none.elementCount()).isZero();
  }

  @Test
  void constantsOfEveryType() {
    for (DType dtype : EnumSet.range(DType.FLOAT32, DType.UINT2)) {
      var value = TestTensors.of(dtype, Shape.of(1), 1);
      var attributes = Attributes.NONE.with("value", new AttributeValue.Tensor(value));
      var y = run("ConstantOfShape", attributes, TensorType.of(dtype, 3, 111), TestTensors.int64s(3, 111));
      assertThat(TestTensors.doubles(y)).hasSize(333).containsOnly(1.0);
    }
  }

  @Test
  void zeroUnlessTold() {
    var y = run("ConstantOfShape", Attributes.NONE, TensorType.of(DType.FLOAT32, 7), TestTensors.int64s(7));
    assertThat(TestTensors.doubles(y)).containsOnly(0.0);
  }

  @Test
  void aValueOfAnotherTypeIsRefused() {
    var attributes = Attributes.NONE.with("value", new AttributeValue.Tensor(TensorView.ofLongs(1)));
    assertThatThrownBy(
      () -> run("ConstantOfShape", attributes, TensorType.of(DType.FLOAT32, 7), TestTensors.int64s(7)))
      .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("int64");
  }
}
