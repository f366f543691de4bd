package dev.cairn.kernels.cpu.recurrent;

import static dev.cairn.kernels.ByHand.floats;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.KernelRunner;
import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.row.RecurrentKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.util.List;
import org.assertj.core.data.Offset;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Operators that carry a state, by hand. */
class CpuStateTest {
  private static TensorView shaped(TensorView view, long... extents) {
    return view.reshaped(Shape.of(extents));
  }

  private static List<TensorView> run(String operator, Attributes attributes, List<TensorType> types,
    @Nullable TensorView... inputs) {
    return KernelRunner.checkTwins(RecurrentKernels.ROWS, operator, attributes, types, 4, inputs);
  }

  @Test
  void aCausalWindowBeginsInTheState() {
    TensorView x = shaped(floats(1, 2, 3), 1, 1, 3);
    TensorView w = shaped(floats(100, 10, 1), 1, 1, 3);
    List<TensorType> types = List.of(x.type(), TensorType.of(DType.FLOAT32, 1, 1, 2));
    List<TensorView> y = run("CausalConvWithState", Attributes.NONE, types, x, w);
    assertThat(TestTensors.doubles(y.get(0))).containsExactly(1, 12, 123);
    assertThat(TestTensors.doubles(y.get(1))).containsExactly(2, 3);
    y = run("CausalConvWithState", Attributes.NONE, types, x, w, floats(1000), shaped(floats(8, 9), 1, 1, 2));
    assertThat(TestTensors.doubles(y.get(0))).containsExactly(1891, 1912, 1123);
    Attributes silu = Attributes.NONE.with("activation", new AttributeValue.Text("silu"));
    y = run("CausalConvWithState", silu, types, x, w);
    assertThat(y.get(0).doubleAt(0)).isCloseTo(1 / (1 + Math.exp(-1)), Offset.offset(1e-6));
  }

  @Test
  void eachRuleChangesTheStateInItsWay() {
    TensorView query = shaped(floats(1, 1), 1, 2, 1);
    TensorView key = shaped(floats(2, 3), 1, 2, 1);
    TensorView value = shaped(floats(5, 7), 1, 2, 1);
    TensorView decay = shaped(floats(0, Math.log(2)), 1, 2, 1);
    TensorView beta = shaped(floats(1, 0.5), 1, 2, 1);
    TensorView state = shaped(floats(1), 1, 1, 1, 1);
    double[][] wanted = {{11, 32}, {11, 43}, {1 + 2 * (5 - 2), 7 + 3 * 0.5 * (7 - 21)}, {7, 14 + 3 * 0.5 * (7 - 42)}};
    List<String> rules = List.of("linear", "gated", "delta", "gated_delta");
    for (int rule = 0; rule < wanted.length; rule++) {
      Attributes attributes = Attributes.NONE.with("q_num_heads", 1).with("kv_num_heads", 1).with("update_rule",
        new AttributeValue.Text(rules.get(rule)));
      List<TensorView> y = run("LinearAttention", attributes, List.of(query.type(), state.type()), query, key, value,
        state, decay, beta);
      assertThat(TestTensors.doubles(y.get(0))).as(rules.get(rule)).containsExactly(wanted[rule], Offset.offset(1e-5));
      assertThat(y.get(1).doubleAt(0)).isCloseTo(wanted[rule][1], Offset.offset(1e-5));
    }
  }
}
