package dev.cairn.runtime.ndarray;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.engine.Engine;
import dev.cairn.runtime.engine.failure.OperationFailed;
import dev.cairn.runtime.expression.Index;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Cases of MXNet's tests of arrays, by the numbers of the page on arrays; what is checked, in our own words. */
class ArrayUpstreamTest extends ArrayContract {
  /** Elementwise operators on several types and ranks, against doubles. */
  @Test
  void case2Elementwise() {
    for (DType dtype : List.of(DType.FLOAT32, DType.FLOAT64, DType.FLOAT16, DType.INT32, DType.INT64, DType.INT8,
      DType.UINT8)) {
      for (long[] shape : new long[][] {{6}, {2, 3}, {1, 2, 3}}) {
        NDArray a = counting(shape).add(1).astype(dtype);
        NDArray b = counting(shape).add(2).astype(dtype);
        for (String operator : List.of("Add", "Sub", "Mul", "Div", "Max", "Min")) {
          double[] got = a.apply(operator, Attributes.NONE, 1, List.of(b, a)).get(0).astype(DType.FLOAT64)
            .toDoubleArray();
          for (int i = 0; i < got.length; i++) {
            assertThat(got[i]).as(operator + dtype).isCloseTo(expected(operator, i + 2, i + 1, dtype), Offset.offset(
              dtype == DType.FLOAT16 ? 1e-3 : 1e-6));
          }
        }
      }
    }
  }

  private static double expected(String operator, double x, double y, DType dtype) {
    return switch (operator) {
      case "Add" -> x + y;
      case "Sub" -> x - y;
      case "Mul" -> x * y;
      case "Div" -> dtype.isFloat() ? x / y : Math.floor(x / y);
      case "Max" -> Math.max(x, y);
      default -> Math.min(x, y);
    };
  }

  @Test
  void case3SumOfFourIsFifteen() {
    NDArray sum = arrays.apply("Sum", Attributes.NONE, 1, List.of(floats(1), floats(2), floats(4), floats(8))).get(0);
    assertThat(sum.item()).isEqualTo(15);
  }

  @Test
  void case4NegationLeavesTheOperand() {
    NDArray x = floats(1, -2);
    assertThat(x.neg().toFloatArray()).containsExactly(-1, 2);
    assertThat(x.neg().neg().toFloatArray()).containsExactly(x.toFloatArray());
  }

  @Test
  void case5And18Reshape() {
    NDArray x = counting(5, 6);
    assertThat(x.reshape(-1, 3).shape().extents()).containsExactly(10, 3);
    assertThatThrownBy(() -> x.reshape(2, 3)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void case6To8ViewsShowAWriteAndCopiesDoNot() {
    NDArray x = counting(2, 1, 3);
    NDArray copy = x.copy();
    for (NDArray view : List.of(x.flatten(), x.squeeze(1), x.expandDims(0), x.reshape(3, 2))) {
      x.fill(9);
      assertThat(view.flatten().toFloatArray()).containsOnly(9);
      x.copyFrom(copy);
    }
    assertThat(copy.flatten().toFloatArray()).containsExactly(0, 1, 2, 3, 4, 5);
  }

  @Test
  void case9And30ElementsByIndexAlongAnAxis() {
    NDArray x = counting(3, 4);
    NDArray picked = x.takeAlongAxis(arrays.of(new long[] {3, 0, 2}, 3, 1), 1);
    assertThat(picked.flatten().toFloatArray()).containsExactly(3, 4, 10);
    assertThat(x.take(arrays.of(new long[] {2, 0}, 2), 0).shape().extents()).containsExactly(2, 4);
  }

  @Test
  void case11OneHotRows() {
    NDArray rows = arrays.apply("OneHot", Attributes.NONE, 1, List.of(arrays.of(new long[] {1, 0}, 2), arrays.constant(
      TensorView.ofLong(3)), arrays.of(new float[] {0, 1}, 2))).get(0);
    assertThat(rows.toFloatArray()).containsExactly(0, 1, 0, 1, 0, 0);
  }

  @Test
  void case13AChainInPlace() {
    NDArray x = arrays.zeros(DType.FLOAT32, 3);
    x.fill(10);
    x.addi(10).muli(2).subi(5).divi(7).powi(2);
    assertThat(x.toFloatArray()).containsOnly(25);
  }

  @Test
  void case19ConcatIsSplitBack() {
    NDArray a = counting(2, 3);
    NDArray b = counting(2, 1);
    NDArray both = a.concat(1, List.of(b));
    assertThat(both.toFloatArray()).containsExactly(0, 1, 2, 0, 3, 4, 5, 1);
    assertThat(both.split(1, 3, 1).get(1).toFloatArray()).containsExactly(b.toFloatArray());
  }

  @Test
  void case20Clip() {
    assertThat(floats(-3, 0, 5).clip(-1, 2).toFloatArray()).containsExactly(-1, 0, 2);
  }

  @Test
  void case21ProductsOfBothTranspositions() {
    NDArray a = counting(2, 3);
    NDArray b = counting(3, 2);
    NDArray wanted = a.matmul(b);
    assertThat(b.transpose().matmul(a.transpose()).transpose().toFloatArray()).containsExactly(wanted.toFloatArray());
    assertThat(wanted.toFloatArray()).containsExactly(10, 13, 28, 40);
  }

  @Test
  void case22ReductionsOverSeveralAxes() {
    NDArray x = counting(2, 3, 4);
    assertThat(x.sum(0, 2).toFloatArray()).containsExactly(60, 92, 124);
    assertThat(x.reduce("ReduceMax", true, 1).shape().extents()).containsExactly(2, 1, 4);
    assertThat(x.sum().item()).isEqualTo(276);
  }

  @Test
  void case23And24Broadcasting() {
    assertThat(counting(3, 1).broadcastTo(3, 2).toFloatArray()).containsExactly(0, 0, 1, 1, 2, 2);
    assertThat(counting(3, 1).mul(counting(1, 2)).toFloatArray()).containsExactly(0, 0, 0, 1, 0, 2);
    assertThatThrownBy(() -> counting(3, 2).broadcastTo(2, 2)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void case25AxesMoveAndWrongOnesAreRefused() {
    NDArray x = counting(2, 3, 4);
    assertThat(x.transpose(1, 2, 0).shape().extents()).containsExactly(3, 4, 2);
    assertThatThrownBy(() -> x.transpose(0, 0, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> x.transpose(0, 1, 3)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void case26Arange() {
    assertThat(arrays.arange(1, 8, 3, DType.FLOAT32).toFloatArray()).containsExactly(1, 4, 7);
    assertThat(arrays.arange(5, 0, -2, DType.INT64).toLongArray()).containsExactly(5, 3, 1);
  }

  @Test
  void case29Comparisons() {
    NDArray x = floats(1, 2, 3);
    assertThat(List.of(x.eq(2), x.ne(x.scalar(2)), x.gt(2), x.ge(2), x.lt(2), x.le(2)).stream().map(it -> it.astype(
      DType.INT32).toIntArray())).containsExactly(new int[] {0, 1, 0}, new int[] {1, 0, 1}, new int[] {0, 0, 1},
        new int[] {0, 1, 1}, new int[] {1, 0, 0}, new int[] {1, 1, 0});
  }

  @Test
  void case33AFunctionIsItsOperator() {
    NDArray x = floats(-1, 4);
    assertThat(x.leakyRelu(0.5f).toFloatArray()).containsExactly(x.apply("LeakyRelu", Attributes.NONE.with("alpha",
      new AttributeValue.Real(0.5f)), 1, List.of(x)).get(0).toFloatArray());
  }

  @Test
  void case37LargeWholeNumbersAreExact() {
    NDArray x = arrays.zeros(DType.INT32, 2);
    x.set(Integer.MAX_VALUE, Index.parse("1"));
    assertThat(x.toIntArray()).containsExactly(0, Integer.MAX_VALUE);
  }

  @Test
  void case38And39And40() {
    assertThat(floats(1.7f, -1.7f).astype(DType.INT32).toIntArray()).containsExactly(1, -1);
    assertThat(floats(3, 4).norm().item()).isEqualTo(5);
    NDArray odd = floats(Float.NaN, Float.POSITIVE_INFINITY, 1);
    assertThat(odd.isnan().astype(DType.INT32).toIntArray()).containsExactly(1, 0, 0);
    assertThat(odd.isinf().astype(DType.INT32).toIntArray()).containsExactly(0, 1, 0);
    assertThat(odd.eq(odd).astype(DType.INT32).toIntArray()).containsExactly(0, 1, 1);
  }

  @Test
  void case43OnlyTheWrittenArrayChanges() {
    NDArray x = floats(1, 2);
    NDArray y = floats(3, 4);
    x.addi(y).muli(y);
    assertThat(x.toFloatArray()).containsExactly(12, 24);
    assertThat(y.toFloatArray()).containsExactly(3, 4);
  }

  @Test
  void case49AFailureIsThrownAtEachWaitAndTheNextArrayIsGood() {
    if (isNaive()) {
      return;
    }
    NDArray broken = arrays.call("broken", List.of(), List.of(TensorType.of(DType.FLOAT32, 1)), (_, _) -> {
      throw new IllegalStateException("broken");
    }).get(0);
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(broken::waitToRead).isInstanceOf(OperationFailed.class);
    }
    assertThat(floats(1).add(1).item()).isEqualTo(2);
  }

  @Test
  void case54BulksOfCalls() {
    NDArray x = arrays.ones(DType.FLOAT32, 10);
    try (Engine.Bulk _ = arrays.bulk(10)) {
      x.muli(2);
      x.addi(x.copy());
      for (int i = 0; i < 100; i++) {
        x.addi(1);
      }
    }
    assertThat(x.toFloatArray()).containsOnly(104);
  }

  @Test
  void case27Linspace() {
    assertThat(arrays.linspace(0, 10, 5, DType.FLOAT32).toFloatArray()).containsExactly(0, 2.5f, 5, 7.5f, 10);
    assertThat(arrays.linspace(1, -1, 3, DType.INT32).toIntArray()).containsExactly(1, 0, -1);
    assertThat(arrays.linspace(0.1, 0.7, 7, DType.FLOAT64).toDoubleArray()).endsWith(0.7).hasSize(7);
    assertThat(arrays.linspace(3, 9, 1, DType.FLOAT64).toDoubleArray()).containsExactly(3);
    assertThat(arrays.linspace(3, 9, 0, DType.FLOAT64).toDoubleArray()).isEmpty();
  }

  /** Against a sort of Java's, along each axis. */
  @Test
  void case28Order() {
    NDArray a = arrays.of(new float[] {3, 1, 2, 1, 0, 5}, 2, 3);
    assertThat(a.sort(-1, true).toFloatArray()).containsExactly(1, 2, 3, 0, 1, 5);
    assertThat(a.sort(0, false).toFloatArray()).containsExactly(3, 1, 5, 1, 0, 2);
    assertThat(a.argsort(1, true).toLongArray()).containsExactly(1, 2, 0, 1, 0, 2);
    assertThat(floats(2, 1, 2, 1).argsort(0, false).toLongArray()).as("equal ones").containsExactly(0, 2, 1, 3);
    List<NDArray> top = a.topk(2, 1, true);
    assertThat(top.get(0).toFloatArray()).containsExactly(3, 2, 5, 1);
    assertThat(top.get(1).toLongArray()).containsExactly(0, 2, 2, 0);
    assertThat(a.topk(1, 0, false).get(0).toFloatArray()).containsExactly(1, 0, 2);
    assertThatThrownBy(() -> a.topk(4, 1, true)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(
      "TopK");
    assertThatThrownBy(() -> a.sort(2, true)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("axis");
  }

  @Test
  void case31ALoopGoesThroughViews() {
    NDArray x = counting(3, 2);
    float sum = 0;
    for (NDArray row : x.unbind()) {
      assertThat(row.isView()).isTrue();
      row.addi(1);
      sum += row.toFloatArray()[1];
    }
    assertThat(sum).isEqualTo(2 + 4 + 6);
    assertThat(x.toFloatArray()).containsExactly(1, 2, 3, 4, 5, 6);
    assertThatThrownBy(() -> x.sum().unbind()).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void case32AnOperatorWritesIntoAnArray() {
    NDArray out = counting(2, 2);
    NDArray view = out.rows(1, 2);
    NDArray ones = arrays.ones(DType.FLOAT32, 2, 2);
    assertThat(out.overwrite("Sub", Attributes.NONE, List.of(ones, out))).isSameAs(out);
    assertThat(out.toFloatArray()).containsExactly(1, 0, -1, -2);
    out.overwrite("MatMul", Attributes.NONE, List.of(out, ones));
    assertThat(view.toFloatArray()).as("a view sees it").containsExactly(-3, -3);
    assertThatThrownBy(() -> out.overwrite("ReduceSum", Attributes.NONE, List.of(ones))).isInstanceOf(
      IllegalArgumentException.class).hasMessageContaining("cannot be written into");
  }

  /** Neither conversions nor functions of whole numbers go by way of floats; what only floats have is refused. */
  @Test
  void case44LargeWholeNumbersAreNotRounded() {
    NDArray a = arrays.of(new int[] {50_000_001, -50_000_001}, 2);
    NDArray b = arrays.of(new long[] {(1L << 53) + 1, Long.MIN_VALUE + 1}, 2);
    assertThat(a.abs().toIntArray()).containsExactly(50_000_001, 50_000_001);
    assertThat(a.clip(-50_000_001, 50_000_001).toIntArray()).containsExactly(50_000_001, -50_000_001);
    assertThat(a.eq(50_000_001).astype(DType.INT32).toIntArray()).containsExactly(1, 0);
    assertThat(b.neg().toLongArray()).containsExactly(-(1L << 53) - 1, Long.MAX_VALUE);
    assertThat(b.max().toLongArray()).containsExactly((1L << 53) + 1);
    assertThat(b.astype(DType.INT64).sum().toLongArray()).containsExactly(Long.MIN_VALUE + (1L << 53) + 2);
    assertThatThrownBy(a::floor).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("int32");
  }

  @Test
  void case46MasksAndPositionsSelectAndAssign() {
    NDArray a = counting(2, 3);
    NDArray mask = a.gt(1).logicalAnd(a.lt(5));
    assertThat(a.get(mask).toFloatArray()).containsExactly(2, 3, 4);
    assertThat(a.get(a.gt(9)).shape().extents()).containsExactly(0);
    NDArray rows = a.sum(1).gt(4);
    assertThat(a.get(rows).shape().extents()).containsExactly(1, 3);
    a.set(-1, mask);
    assertThat(a.toFloatArray()).containsExactly(0, 1, -1, -1, -1, 5);
    a.set(floats(7, 8, 9), mask);
    assertThat(a.toFloatArray()).containsExactly(0, 1, 7, 8, 9, 5);
    a.set(floats(4, 5, 6), rows);
    assertThat(a.toFloatArray()).containsExactly(0, 1, 7, 4, 5, 6);
    a.set(3, a.gt(100));
    NDArray places = arrays.of(new int[] {1, 0, -1}, 3);
    assertThat(a.get(places).toFloatArray()).containsExactly(4, 5, 6, 0, 1, 7, 4, 5, 6);
    a.set(0, arrays.of(new long[] {1}, 1));
    assertThat(a.toFloatArray()).containsExactly(0, 1, 7, 0, 0, 0);
    assertThatThrownBy(() -> a.get(floats(1))).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> a.get(a.sum(0).gt(0))).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(
      "mask=bool[3]");
    assertThatThrownBy(() -> a.set(floats(1, 2), mask.logicalNot())).isInstanceOf(IllegalArgumentException.class);
  }
}
