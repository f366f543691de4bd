package dev.cairn.runtime.pass.quantize;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.pass.Pass;
import dev.cairn.runtime.pass.PassText;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QuantizedPassesTest {
  private static final String GIVEN = """
    x = input float32[2x3]
    q = input uint8[2x3]
    r = input uint8[2x3]
    w = input int8[3x4]
    s = constant float32:0.5
    u = constant float32:0.25
    v = constant float32:[1,2,3,4]
    e = constant float32:[1,2]
    z = constant uint8:0
    o = constant uint8:1
    k = constant int8:0
    b = constant float32:[5,6,7,8]
    c = constant int32:[5,6,7,8]
    t = constant float32:0.125
    a = constant float32:[0.5,1,1.5,2]
    image = input uint8[1x2x5x5]
    taps = input int8[4x2x3x3]
    column = input uint8[4]
    one8 = input uint8[1x4]
    one = constant float32:[0.5]
    turned = input int8[4x3]
    shape = constant int64:[2,2]
    """;

  /** The uses of operators, in order. */
  private static List<String> after(Pass pass, String body, String result) {
    return PassText.after(pass, GIVEN + body.replace("; ", "\n") + "\nreturn y=" + result + "\n").lines()
      .filter(line -> line.contains("(")).toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "p = MatMulInteger(q, w, z, k); f = Cast{to=\"float32\"}(p); g = Mul(s, v); y = Mul(f, g)",
    "p = MatMulInteger(q, w, z, k); f = Cast{to=\"float32\"}(p); g = Mul(v, s); y = Mul(g, f)"})
  void aScaledProductOfWholeNumbersIsOneNode(String body) {
    assertThat(after(new FuseDynamicProductPass(), body, "y")).containsExactly(
      "y = MatMulIntegerToFloat(q, w, s, v, z, k)");
  }

  @Test
  void aBiasIsTakenInAndOperandsKeepOtherReaders() {
    assertThat(after(new FuseDynamicProductPass(), "d = DynamicQuantizeLinear(x) -> 3; "
      + "p = MatMulInteger(d, w, d:2, k); f = Cast{to=\"float32\"}(p); g = Mul(d:1, v); m = Mul(f, g); n = Add(b, m); "
      + "p2 = MatMulInteger(d, w, d:2); f2 = Cast{to=\"float32\"}(p2); g2 = Mul(d:1, s); m2 = Mul(f2, g2); "
      + "y = Sub(n, m2)", "y")).containsExactly("d = DynamicQuantizeLinear(x) -> 3",
        "n = MatMulIntegerToFloat(d, w, d:1, v, d:2, k, b)", "m2 = MatMulIntegerToFloat(d, w, d:1, s, d:2)",
        "y = Sub(n, m2)");
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "p = MatMulInteger(q, w); f = Cast{to=\"float32\"}(p); g = Mul(v, v); y = Mul(f, g)",
    "p = MatMulInteger(q, w); f = Cast{to=\"float32\"}(p); h = Neg(p); g = Mul(s, v); m = Mul(f, g); "
      + "i = Cast{to=\"float32\"}(h); y = Add(m, i)",
    "p = MatMulInteger(q, w); f = Cast{to=\"float64\"}(p); y = Mul(f, f)"})
  void whatIsNoScaledProductStays(String body) {
    assertThat(after(new FuseDynamicProductPass(), body, "y")).noneMatch(it -> it.contains("ToFloat"));
  }

  @Test
  void aQuantizationOfWhatWasQuantizedAlikeGoes() {
    String pair = "d = DequantizeLinear(q, s, z); p = QuantizeLinear(d, %s, %s); y = Neg(d)";
    assertThat(after(new RemoveQuantizePairsPass(), pair.formatted("s", "z"), "p")).isEmpty();
    assertThat(after(new RemoveQuantizePairsPass(), pair.formatted("u", "z"), "p")).hasSize(2);
    assertThat(after(new RemoveQuantizePairsPass(), pair.formatted("s", "o"), "p")).hasSize(2);
    assertThat(after(new RemoveQuantizePairsPass(), pair.formatted("s", "k"), "p")).hasSize(2);
  }

  @Test
  void quantizedElementsMoveInsteadOfRealOnes() {
    assertThat(after(new MoveQuantizedPass(), "d = DequantizeLinear(q, s, z); y = Transpose(d)", "y")).containsExactly(
      "y/quantized = Transpose(q)", "y = DequantizeLinear(y/quantized, s, z)");
    assertThat(after(new MoveQuantizedPass(), "d = DequantizeLinear(q, s, z); f = DequantizeLinear(r, s, z); "
      + "y = Concat{axis=0}(d, f)", "y")).containsExactly("y/quantized = Concat{axis=0}(q, r)",
        "y = DequantizeLinear(y/quantized, s, z)");
  }

  @Test
  void oneMoveAfterTheOther() {
    assertThat(after(new MoveQuantizedPass(), "d = DequantizeLinear(q, s, z); t1 = Transpose(d); y = Flatten(t1)", "y"))
      .containsExactly("t1/quantized = Transpose(q)", "y/quantized = Flatten(t1/quantized)",
        "y = DequantizeLinear(y/quantized, s, z)");
  }

  @Test
  void aTranspositionMovesTheAxisOfTheScales() {
    assertThat(after(new MoveQuantizedPass(), "d = DequantizeLinear{axis=0}(q, e); y = Transpose{perm=[1,0]}(d)", "y"))
      .containsExactly("y/quantized = Transpose{perm=[1,0]}(q)", "y = DequantizeLinear{axis=1}(y/quantized, e)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"d = DequantizeLinear(q, s, z); t1 = Transpose(d); t2 = Transpose(d); y = Add(t1, t2)",
    "d = DequantizeLinear(q, s, z); f = DequantizeLinear(r, u, z); y = Concat{axis=0}(d, f)",
    "d = DequantizeLinear(q, s, z); y = Concat{axis=0}(d, x)",
    "d = DequantizeLinear{axis=0}(q, e); y = Flatten(d)",
    "d = DequantizeLinear(c, s); y = Reshape(d, shape)", "d = DequantizeLinear(q, s, z); y = Neg(d)"})
  void otherUsesAreKept(String body) {
    assertThat(after(new MoveQuantizedPass(), body, "y")).noneMatch(it -> it.contains("quantized"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"f = Sigmoid(d); y = QuantizeLinear(f, u, o)",
    "f = Sigmoid(d); m = Mul(d, f); n = Add(m, s); y = QuantizeLinear(n, u, o)", "y = QuantizeLinear(d, u, o)",
    "b = Greater(d, s); p = Where(b, d, s); f = Sign(p); y = QuantizeLinear(f, u, o)"})
  void aFunctionOfOneQuantizedTensorIsATable(String body) {
    assertThat(after(new FuseByteTablePass((_, _) -> true), "d = DequantizeLinear(q, s, z); " + body, "y")).contains(
      "y = ByteTable(q, y/table)").noneMatch(it -> it.contains("(q, s"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"d = DequantizeLinear(q, s, z); e2 = DequantizeLinear(r, s, z); f = Add(d, e2); "
    + "y = QuantizeLinear(f, u, o)", "d = DequantizeLinear(q, s, z); f = Add(d, x); y = QuantizeLinear(f, u, o)",
    "d = DequantizeLinear(c, s); f = Sigmoid(d); y = QuantizeLinear(f, u, o)",
    "d = DequantizeLinear{axis=0}(q, e); f = Sigmoid(d); y = QuantizeLinear(f, u, o)",
    "d = DequantizeLinear(q, s, z); f = Softmax(d); y = QuantizeLinear(f, u, o)",
    "d = DequantizeLinear{axis=0, block_size=4}(column, one); f = Sigmoid(d); y = QuantizeLinear(f, u, o)"})
  void otherFunctionsAreNoTables(String body) {
    assertThat(after(new FuseByteTablePass((_, _) -> true), body, "y")).noneMatch(it -> it.contains("ByteTable"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"f = DequantizeLinear(r, u, o); a2 = Add(d, f); y = QuantizeLinear(a2, t, o)"
    + "=QLinearAdd(q, s, z, r, u, o, t, o)",
    "g = DequantizeLinear(w, s, k); h = DequantizeLinear(one8, u); m = Mul(h, g); y = QuantizeLinear(m, u, k)"
      + "=QLinearMul(one8, u, y/zero, w, s, k, u, k)",
    "f = DequantizeLinear(r, u, o); a2 = Add(d, f); l = Relu(a2); y = QuantizeLinear(l, t, z)"
      + "=QLinearAdd(q, s, z, r, u, o, t, z)",
    "f = Softmax(d); y = QuantizeLinear(f, u, o)=QLinearSoftmax(q, s, z, u, o)",
    "i = DequantizeLinear(image, s); p = GlobalAveragePool(i); y = QuantizeLinear(p, u, k)"
      + "=QLinearGlobalAveragePool(image, s, y/zero, u, k)",
    "i = DequantizeLinear(image, s, z); p = AveragePool{kernel_shape=[2,2]}(i); y = QuantizeLinear(p, u, o)"
      + "=QLinearAveragePool{kernel_shape=[2,2]}(image, s, z, u, o)"})
  void anOperatorBetweenQuantizedTensorsIsOneNode(String text) {
    int end = text.lastIndexOf("=QLinear");
    String body = "d = DequantizeLinear(q, s, z); " + text.substring(0, end);
    assertThat(after(new FuseQuantizedOperatorPass((_, _) -> true), body, "y")).contains("y = " + text.substring(end
      + 1));
    assertThat(after(new FuseQuantizedOperatorPass((_, _) -> false), body, "y")).noneMatch(it -> it.contains(
      "QLinear"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"f = Add(d, x); y = QuantizeLinear(f, u, o)", "f = Softmax{axis=0}(d); "
    + "y = QuantizeLinear(f, u, o)", "f = Sub(d, d); y = QuantizeLinear(f, u, o)",
    "f = Softmax(d); g = QuantizeLinear(f, u, o); y = Add(f, f)", "f = DequantizeLinear{axis=0}(r, e); "
      + "g = Add(d, f); y = QuantizeLinear(g, u, o)",
    "f = DequantizeLinear(r, u, o); g = Add(d, f); l = Relu(g); y = QuantizeLinear(l, u, o)",
    "f = DequantizeLinear(r, u, o); g = Add(d, f); y = QuantizeLinear{precision=\"float16\"}(g, u, o)",
    "n = Neg(s); f = DequantizeLinear(r, n, o); g = Softmax(f); y = QuantizeLinear(g, u, o)"})
  void otherOperatorsAreKept(String body) {
    assertThat(after(new FuseQuantizedOperatorPass((_, _) -> true), "d = DequantizeLinear(q, s, z); " + body, "y"))
      .noneMatch(it -> it.contains("QLinear"));
  }

  @Test
  void aLongFunctionIsNoTable() {
    StringBuilder body = new StringBuilder("f0 = DequantizeLinear(q, s, z); ");
    for (int i = 0; i < 20_000; i++) {
      body.append("f%d = Neg(f%d); ".formatted(i + 1, i));
    }
    assertThat(after(new FuseByteTablePass((_, _) -> true), body + "y = QuantizeLinear(f20000, u, o)", "y"))
      .noneMatch(it -> it.contains("ByteTable"));
  }

  @Test
  void aMatrixProductBetweenQuantizedTensorsIsOneOfWholeNumbers() {
    String body = "d = DequantizeLinear(q, s, z); f = DequantizeLinear(w, v); p = MatMul(d, f); "
      + "y = QuantizeLinear(p, u, o)";
    assertThat(after(new FuseQuantizedProductPass(), body, "y")).containsExactly(
      "y = QLinearMatMul(q, s, z, w, v, y/zero, u, o)");
  }

  @Test
  void aGemmTakesItsBiasAlong() {
    String body = "d = DequantizeLinear(q, s, z); f = DequantizeLinear{axis=0}(turned, v); "
      + "g = DequantizeLinear{axis=0}(c, %s); p = Gemm{transB=1}(d, f, g); y = QuantizeLinear(p, u, o)";
    assertThat(after(new FuseQuantizedProductPass(), body.formatted("a"), "y")).containsExactly(
      "y/weights = Transpose{perm=[1,0]}(turned)", "y = QLinearMatMul(q, s, z, y/weights, v, y/zero, u, o, c)");
    assertThat(after(new FuseQuantizedProductPass(), body.formatted("b"), "y")).hasSize(5);
  }

  @Test
  void aConvolutionTakesAReluAlongThatSaturationMakes() {
    String body = "d = DequantizeLinear(image, s, z); f = DequantizeLinear(taps, u, k); "
      + "g = DequantizeLinear(c, t); p = Conv{pads=[1,1,1,1]}(d, f, g); l = Relu(p); y = QuantizeLinear(l, u, %s)";
    assertThat(after(new FuseQuantizedProductPass(), body.formatted("z"), "y")).containsExactly(
      "y = QLinearConv{pads=[1,1,1,1]}(image, s, z, taps, u, k, u, z, c)");
    assertThat(after(new FuseQuantizedProductPass(), body.formatted("o"), "y")).hasSize(6);
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "d = DequantizeLinear(q, s, z); f = DequantizeLinear{axis=0}(turned, v); p = Gemm{transB=1, alpha=2.0}(d, f); "
      + "y = QuantizeLinear(p, u, o)",
    "d = DequantizeLinear(q, s, z); f = DequantizeLinear(w, s); p = MatMul(d, f); h = QuantizeLinear(p, u, o); "
      + "i = DequantizeLinear(h, u, o); y = Add(p, i)",
    "f = DequantizeLinear(w, s); p = MatMul(x, f); y = QuantizeLinear(p, u, o)"})
  void otherProductsAreKept(String body) {
    assertThat(after(new FuseQuantizedProductPass(), body, "y")).noneMatch(it -> it.contains("QLinear"));
  }
}
