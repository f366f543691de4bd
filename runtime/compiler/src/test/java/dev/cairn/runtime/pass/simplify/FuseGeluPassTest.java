package dev.cairn.runtime.pass.simplify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.infer.ValueEvaluator;
import dev.cairn.runtime.pass.PassManager;
import dev.cairn.runtime.pass.PassText;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FuseGeluPassTest {
  private static List<String> operators(String body) {
    return operatorsOf("""
      x = input float32[2x3]
      z = input float32[2x3]
      root = constant float32:[1.4142135]
      inverse = constant float32:[0.70710677]
      one = constant float32:[1]
      half = constant float32:[0.5]
      two = constant float32:[2]
      three = constant float32:[3]
      share = constant float32:[0.044715]
      slope = constant float32:[0.79788456]
      t = Tanh(x)
      %s
      return y=y
      """.formatted(body.replace("; ", "\n")));
  }

  private static List<String> operatorsOf(String text) {
    Graph graph = PassText.graph(text);
    Graph fused = new PassManager(it -> PassText.types(it, ValueEvaluator.NONE)).run(graph, List.of(new FuseGeluPass()))
      .graph();
    return fused.nodes().stream().filter(it -> it.kind() instanceof NodeKind.Apply).map(Node::operator).toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "d = Div(t, root); e = Erf(d); a = Add(e, one); m = Mul(t, a); y = Mul(m, half)",
    "d = Mul(t, inverse); e = Erf(d); a = Add(one, e); m = Mul(t, half); y = Mul(m, a)",
    "d = Mul(inverse, t); e = Erf(d); a = Add(e, one); m = Mul(half, a); y = Mul(t, m)"})
  void asExportersWriteIt(String body) {
    assertThat(operators(body)).containsExactly("Tanh", "Gelu");
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "c = Pow(t, three); k = Mul(c, share); i = Add(t, k); r = Mul(i, slope); h = Tanh(r); a = Add(h, one); "
      + "m = Mul(t, half); y = Mul(m, a)",
    "c = Pow(t, three); k = Mul(share, c); i = Add(k, t); r = Mul(slope, i); h = Tanh(r); a = Add(one, h); "
      + "m = Mul(half, a); y = Mul(t, m)"})
  void byTangent(String body) {
    assertThat(operators(body)).containsExactly("Tanh", "Gelu");
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "c = Pow(t, two); k = Mul(c, share); i = Add(t, k); r = Mul(i, slope); h = Tanh(r); a = Add(h, one); "
      + "m = Mul(t, half); y = Mul(m, a)",
    "c = Pow(t, three); k = Mul(c, half); i = Add(t, k); r = Mul(i, slope); h = Tanh(r); a = Add(h, one); "
      + "m = Mul(t, half); y = Mul(m, a)",
    "c = Pow(z, three); k = Mul(c, share); i = Add(t, k); r = Mul(i, slope); h = Tanh(r); a = Add(h, one); "
      + "m = Mul(t, half); y = Mul(m, a)",
    "c = Pow(t, three); k = Mul(c, share); i = Add(t, k); r = Mul(i, share); h = Tanh(r); a = Add(h, one); "
      + "m = Mul(t, half); y = Mul(m, a)"})
  void anotherTangentIsKept(String body) {
    assertThat(operators(body)).doesNotContain("Gelu").contains("Pow");
  }

  @ParameterizedTest
  @ValueSource(strings = {"d", "e", "a", "m", "y"})
  void whatIsHintedStays(String noted) {
    String body = "d = Div(t, root); e = Erf(d); a = Add(e, one); m = Mul(t, a); y = Mul(m, half)";
    for (String note : List.of("precision=float32", "cairn.repeat=never")) {
      assertThat(operators(body.replaceAll("(" + noted + " = [^;]*)", "$1 # " + note))).doesNotContain("Gelu");
    }
  }

  @ParameterizedTest
  @CsvSource({"1.4142135623730951, true", "1.4142135624, true", "1.41421, false"})
  void numbersOfDoublePrecisionAreNearer(String root, boolean isFused) {
    List<String> operators = operatorsOf("""
      x = input float64[2x3]
      root = constant float64:[%s]
      one = constant float64:[1]
      half = constant float64:[0.5]
      d = Div(x, root)
      e = Erf(d)
      a = Add(e, one)
      m = Mul(x, a)
      y = Mul(m, half)
      return y=y
      """.formatted(root));
    assertThat(operators.contains("Gelu")).isEqualTo(isFused);
  }

  @Test
  void oneAfterTheOther() {
    assertThat(operators("d = Div(t, root); e = Erf(d); a = Add(e, one); m = Mul(t, a); g = Mul(m, half); "
      + "d2 = Div(g, root); e2 = Erf(d2); a2 = Add(e2, one); m2 = Mul(g, half); y = Mul(m2, a2)")).containsExactly(
        "Tanh", "Gelu", "Gelu");
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "d = Div(t, two); e = Erf(d); a = Add(e, one); m = Mul(t, a); y = Mul(m, half)",
    "d = Div(t, root); e = Erf(d); a = Add(e, two); m = Mul(t, a); y = Mul(m, half)",
    "d = Div(t, root); e = Erf(d); a = Add(e, one); m = Mul(t, a); y = Mul(m, two)",
    "d = Div(t, root); e = Erf(d); a = Add(e, one); m = Mul(z, a); y = Mul(m, half)",
    "d = Div(root, t); e = Erf(d); a = Add(e, one); m = Mul(t, a); y = Mul(m, half)",
    "d = Div(t, root); e = Erf(d); a = Add(e, one); m = Mul(t, a); h = Mul(m, half); y = Add(h, a)"})
  void anotherFunctionIsKept(String body) {
    assertThat(operators(body)).doesNotContain("Gelu").contains("Erf");
  }
}
