package dev.cairn.kernels.cpu.elementwise;

import static dev.cairn.kernels.ByHand.floats;
import static dev.cairn.kernels.ByHand.run;
import static dev.cairn.kernels.ByHand.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.Tolerance;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Functions, remainders, norms and sums that are rarer, by hand. */
class CpuFurtherOperatorsTest {
  private static final double NAN = Double.NaN;
  private static final double INFINITE = Double.POSITIVE_INFINITY;
  private static final Offset<Double> NEAR = Offset.offset(1e-6);

  private static void check(String operator, Attributes attributes, TensorView x, double... expected) {
    Tolerance.of(DType.FLOAT32, 1).times(8).check(operator, expected, run(operator, attributes, x.type(), x));
  }

  @Test
  void activations() {
    double less = Math.exp(-1) - 1;
    check("Elu", Attributes.NONE, floats(-1, 0, 2, NAN), less, 0, 2, NAN);
    check("Celu", Attributes.NONE.with("alpha", new AttributeValue.Real(2)), floats(-2, 3), 2 * less, 3);
    check("Selu", Attributes.NONE, floats(-1, 1), 1.0507009873 * 1.6732632423 * less, 1.0507009873);
    check("Softplus", Attributes.NONE, floats(0, 500, -500, NAN), Math.log(2), 500, 0, NAN);
    check("Softsign", Attributes.NONE, floats(-1, 3, INFINITE), -0.5, 0.75, 1);
    check("Mish", Attributes.NONE, floats(0, 100), 0, 100);
    check("Swish", Attributes.NONE.with("alpha", new AttributeValue.Real(2)), floats(1), 1 / (1 + Math.exp(-2)));
    check("ThresholdedRelu", Attributes.NONE, floats(1, 1.5, -3), 0, 1.5, 0);
    check("Shrink", Attributes.NONE.with("bias", new AttributeValue.Real(0.25f)), floats(-1, 0.5, 2), -0.75, 0, 1.75);
    check("Round", Attributes.NONE, floats(0.5, 1.5, -2.5, 2.7), 0, 2, -2, 3);
    check("Sign", Attributes.NONE, floats(-3, 0, 9, NAN), -1, 0, 1, NAN);
  }

  @Test
  void inverseHyperbolicFunctionsKeepTheirPrecision() {
    for (double x : new double[] {1e-12, 1e-3, 0.5, 3, 1e5, 1e12, 1e200}) {
      assertThat(InverseHyperbolic.asinh(x) / (x < 1e-3 ? x : Math.log(x + Math.hypot(x, 1)))).isCloseTo(1, NEAR);
      assertThat(InverseHyperbolic.asinh(-x)).isEqualTo(-InverseHyperbolic.asinh(x));
    }
    assertThat(InverseHyperbolic.acosh(Math.cosh(2))).isCloseTo(2, NEAR);
    assertThat(InverseHyperbolic.acosh(1e200)).isCloseTo(Math.log(2) + 200 * Math.log(10), NEAR);
    assertThat(InverseHyperbolic.acosh(0.5)).isNaN();
    assertThat(InverseHyperbolic.atanh(Math.tanh(-0.75))).isCloseTo(-0.75, NEAR);
    assertThat(InverseHyperbolic.atanh(1)).isInfinite();
    assertThat(InverseHyperbolic.asinh(-INFINITE)).isEqualTo(-INFINITE);
  }

  @Test
  void remaindersHaveTheSignOfOneOperand() {
    var a = TestTensors.ofLongs(DType.INT8, Shape.of(4), -7, 7, -7, 7);
    var b = TestTensors.ofLongs(DType.INT8, Shape.of(4), 3, -3, -3, 0);
    assertThat(run("Mod", Attributes.NONE, a.type(), a, b).toLongArray()).containsExactly(2, -2, -1, 0);
    assertThat(run("Mod", Attributes.NONE.with("fmod", 1), a.type(), a, b).toLongArray()).containsExactly(-1, 1, -1, 0);
    var wide = TestTensors.ofLongs(DType.UINT64, Shape.of(1), -1);
    assertThat(run("Mod", Attributes.NONE, wide.type(), wide, TestTensors.ofLongs(DType.UINT64, Shape.of(1), 10))
      .longAt(0)).isEqualTo(5);
  }

  @Test
  void bits() {
    var a = TestTensors.ofLongs(DType.UINT8, Shape.of(3), 0x81, 0x81, 0x81);
    var count = TestTensors.ofLongs(DType.UINT8, Shape.of(3), 1, 7, 200);
    assertThat(run("BitShift", text("direction", "LEFT"), a.type(), a, count).toLongArray()).containsExactly(2, 0x80,
      0);
    assertThat(run("BitShift", text("direction", "RIGHT"), a.type(), a, count).toLongArray()).containsExactly(0x40, 1,
      0);
    assertThat(run("BitwiseNot", Attributes.NONE, a.type(), a).toLongArray()).containsOnly(0x7e);
    assertThat(run("BitCast", Attributes.NONE, TensorType.of(DType.INT32, 1), floats(1)).longAt(0)).isEqualTo(
      0x3f800000);
  }

  @Test
  void whatIsNoNumber() {
    TensorType booleans = TensorType.of(DType.BOOL, 4);
    var x = floats(1, NAN, INFINITE, -INFINITE);
    assertThat(run("IsNaN", Attributes.NONE, booleans, x).toLongArray()).containsExactly(0, 1, 0, 0);
    assertThat(run("IsInf", Attributes.NONE, booleans, x).toLongArray()).containsExactly(0, 0, 1, 1);
    assertThat(run("IsInf", Attributes.NONE.with("detect_negative", 0), booleans, x).toLongArray()).containsExactly(0,
      0, 1, 0);
  }

  @Test
  void reductionsOfLargeNumbersAndOfNothing() {
    TensorType one = TensorType.of(DType.FLOAT32, 1);
    assertThat(run("ReduceLogSumExp", Attributes.NONE, one, floats(1000, 1000)).doubleAt(0)).isCloseTo(1000 + Math.log(
      2), Offset.offset(1e-4));
    assertThat(run("ReduceLogSumExp", Attributes.NONE, one, floats(-INFINITE, 3)).doubleAt(0)).isEqualTo(3);
    assertThat(run("ReduceLogSumExp", Attributes.NONE, one, floats()).doubleAt(0)).isEqualTo(-INFINITE);
    assertThat(run("ReduceL1", Attributes.NONE, one, floats(-3, 4)).doubleAt(0)).isEqualTo(7);
    assertThat(run("ReduceL2", Attributes.NONE, one, floats(-3, 4)).doubleAt(0)).isEqualTo(5);
    assertThat(run("ReduceLogSum", Attributes.NONE, one, floats(1, 2)).doubleAt(0)).isCloseTo(Math.log(3), NEAR);
    assertThat(run("ReduceSumSquare", Attributes.NONE, TensorType.of(DType.INT32, 1), TestTensors.ofLongs(DType.INT32,
      Shape.of(2), -3, 4)).longAt(0)).isEqualTo(25);
    assertThat(run("CumProd", Attributes.NONE.with("exclusive", 1).with("reverse", 1), TensorType.of(DType.FLOAT32, 3),
      floats(2, 3, 4), TestTensors.ofLongs(DType.INT64, Shape.SCALAR, 0)).doubleAt(0)).isEqualTo(12);
  }

  @Test
  void distributionsAndNorms() {
    check("LogSoftmax", Attributes.NONE, floats(1000, 1000), -Math.log(2), -Math.log(2));
    check("Hardmax", Attributes.NONE, floats(1, 3, 3), 0, 1, 0);
    check("LpNormalization", Attributes.NONE, floats(-3, 4), -0.6, 0.8);
    check("LpNormalization", Attributes.NONE.with("p", 1), floats(0, 0), 0, 0);
    var x = TestTensors.of(DType.FLOAT32, Shape.of(1, 4, 1), 1, 3, 10, 30);
    var scale = floats(1, 2, 1, 1);
    assertThat(TestTensors.doubles(run("GroupNormalization", Attributes.NONE.with("num_groups", 2).with("epsilon",
      new AttributeValue.Real(0)), x.type(), x, scale, floats(0, 0, 0, 5)))).containsExactly(new double[] {-1, 2, -1,
        6}, NEAR);
    assertThat(TestTensors.doubles(run("RMSNormalization", Attributes.NONE.with("epsilon", new AttributeValue.Real(0)),
      TensorType.of(DType.FLOAT32, 2), floats(1, 7), floats(1, 2)))).containsExactly(new double[] {0.2, 2.8}, NEAR);
  }

  @Test
  void pairsAreRotated() {
    var x = TestTensors.of(DType.FLOAT32, Shape.of(1, 1, 1, 5), 1, 2, 3, 4, 9);
    var cos = TestTensors.of(DType.FLOAT32, Shape.of(2, 2), 1, 1, 0, 0);
    var sin = TestTensors.of(DType.FLOAT32, Shape.of(2, 2), 0, 0, 1, 1);
    Attributes four = Attributes.NONE.with("rotary_embedding_dim", 4);
    var second = TestTensors.ofLongs(DType.INT64, Shape.of(1, 1), 1);
    assertThat(TestTensors.doubles(run("RotaryEmbedding", four, x.type(), x, cos, sin, second))).containsExactly(-3, -4,
      1, 2, 9);
    assertThat(TestTensors.doubles(run("RotaryEmbedding", four.with("interleaved", 1), x.type(), x, cos, sin, second)))
      .containsExactly(-2, 1, -4, 3, 9);
    var beyond = TestTensors.ofLongs(DType.INT64, Shape.of(1, 1), 2);
    assertThatThrownBy(() -> run("RotaryEmbedding", four, x.type(), x, cos, sin, beyond)).isInstanceOf(
      IllegalArgumentException.class).hasMessageContaining("no such position: step=0 position=2 positions=2");
  }

  @Test
  void sumsOfProducts() {
    var a = TestTensors.counting(DType.INT32, Shape.of(2, 2));
    assertThat(run("Einsum", text("equation", "ii->i"), TensorType.of(DType.INT32, 2), a).toLongArray())
      .containsExactly(0, 3);
    assertThat(run("Einsum", text("equation", "ba"), TensorType.of(DType.INT32, 2, 2), a).toLongArray())
      .containsExactly(0, 2, 1, 3);
    assertThat(run("Einsum", text("equation", "ij,jk"), TensorType.of(DType.INT32, 2, 2), a, a).toLongArray())
      .containsExactly(2, 3, 6, 11);
    assertThat(run("Einsum", text("equation", "i,j->"), TensorType.of(DType.FLOAT32), floats(1, 2), floats(3, 4))
      .doubleAt(0)).isEqualTo(21);
    var matrix = TestTensors.of(DType.FLOAT32, Shape.of(2, 2), 0, 2, 3, 4);
    assertThat(run("Det", Attributes.NONE, TensorType.of(DType.FLOAT32), matrix).doubleAt(0)).isEqualTo(-6);
  }
}
