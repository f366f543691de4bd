package dev.cairn.runtime.pass.simplify;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.infer.ValueEvaluator;
import dev.cairn.runtime.pass.PassContext;
import dev.cairn.runtime.pass.PassText;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FoldBatchNormalizationPassTest {
  private static final String HEAD = """
    x = input float32[2x4x5x3]
    w = constant random float32[6x2x3x2]
    b = constant random float32[6]
    s = constant random float32[6]
    t = constant random float32[6]
    m = constant random float32[6]
    v = constant random float32[6]
    k = constant random float32[6x1x1]
    l = constant random float32[1x6x1x1]
    one = constant random float32[1]
    scalar = constant random float32[scalar]
    wide = constant random float32[3x2]
    """;
  private static final String TAIL = "r = Relu(n)\nreturn y=r\n";
  private final FoldBatchNormalizationPass pass = new FoldBatchNormalizationPass();

  @Test
  void foldsANormalizationIntoTheConvolutionBeforeIt() {
    assertEquals("""
      x = input float32[2x4x5x3]
      c/weight = constant float32[6x2x3x2]
      c/bias = constant float32[6]
      c = Conv{group=2}(x, c/weight, c/bias)
      r = Relu(c)
      return y=r
      """, PassText.after(pass, HEAD + """
      c = Conv{group=2}(x, w)
      n = BatchNormalization{epsilon=0.01}(c, s, t, m, v)
      """ + TAIL));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "c = Conv{group=2}(x, w); n = BatchNormalization{epsilon=0.01}(c, s, t, m, v) | 2",
    "c = Conv{group=2}(x, w, b); n = BatchNormalization(c, s, t, m, v) | 2",
    "c = Conv{group=2}(x, w); d = BatchNormalization(c, s, t, m, v); e = Mul(d, k); n = Add(l, e) | 2",
    "c = Conv{group=2}(x, w); d = Add(c, k); e = Mul(l, d); n = BatchNormalization(e, s, t, m, v) | 2",
    "c = Conv{group=2}(x, w, b); d = Sub(k, c); e = Div(d, one); n = Sub(e, scalar) | 2",
    "a = Relu(x); c = Conv{group=2}(a, w); n = Div(c, l) | 3",
    "c = Conv{group=2}(x, w); d = Relu(c); e = BatchNormalization(d, s, t, m, v); f = Mul(e, k); n = Add(f, k) | 4"})
  void computesTheSameWithFewerNodes(String nodes, int operators) {
    Graph before = PassText.graph(HEAD + nodes.replace("; ", "\n") + "\n" + TAIL);
    GraphTypes types = PassText.types(before, ValueEvaluator.NONE);
    Graph after = pass.apply(before, PassContext.of(types));
    assertEquals(operators, after.nodes().stream().filter(node -> !node.inputs().isEmpty()).count(), after.toString());
    double[] x = new Random(3).doubles(2 * 4 * 5 * 3, -1, 1).toArray();
    List<double[]> wanted = NaiveInterpreter.run(before, types, Map.of("x", x));
    List<double[]> given = NaiveInterpreter.run(after, PassText.types(after, ValueEvaluator.NONE), Map.of("x", x));
    assertArrayEquals(wanted.get(0), given.get(0), 2e-5);
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "c = Conv{group=2}(x, w); n = Add(c, wide)",
    "c = Conv{group=2}(x, w) # cairn.repeat=always; n = BatchNormalization(c, s, t, m, v)",
    "c = Conv{group=2}(x, w); n = BatchNormalization(c, s, t, m, v) # cairn.repeat=never",
    "c = Conv{group=2}(x, w); n = Mul(c, k) # precision=float32",
    "c = Conv{group=2}(x, w); n = Div(k, c)",
    "c = Conv{group=2}(x, w); n = Mul(c, c)",
    "c = Conv{group=2}(x, w); p = Relu(x); q = Conv{group=2}(p, w); n = Add(c, q)",
    "c = Conv{group=2}(x, w); z = input float32[6]; n = BatchNormalization(c, z, t, m, v)",
    "z = input float32[6x2x3x2]; c = Conv{group=2}(x, z); n = BatchNormalization(c, s, t, m, v)",
    "c = Conv{group=2}(x, w); n = Max(c, k)"})
  void doesNotFireOnAnythingElse(String nodes) {
    assertTrue(PassText.leaves(pass, HEAD + nodes.replace("; ", "\n") + "\n" + TAIL));
  }

  @Test
  void doesNotFireWhenTheConvolutionIsReadTwiceOrIsAnOutput() {
    String nodes = HEAD + "c = Conv{group=2}(x, w)\nn = BatchNormalization(c, s, t, m, v)\n";
    assertTrue(PassText.leaves(pass, nodes + "a = Add(n, c)\nreturn y=a\n"));
    assertTrue(PassText.leaves(pass, nodes + "return y=n, c=c\n"));
  }

  @Test
  void doesNotFireWhenAConstantStretchesTheResult() {
    assertTrue(PassText.leaves(pass, """
      x = input float32[1x2x3x3]
      w = constant random float32[1x2x3x3]
      k = constant random float32[5x1x1]
      c = Conv(x, w)
      n = Mul(c, k)
      return y=n
      """));
  }

  @Test
  void doesNotFireOnFactorsThatAreNotFinite() {
    assertTrue(PassText.leaves(pass, """
      x = input float32[1x2x3x3]
      w = constant random float32[2x2x3x3]
      k = constant float32:[1,0] as 2x1x1
      c = Conv(x, w)
      n = Div(c, k)
      return y=n
      """));
  }

  @Test
  void weightsThatTwoConvolutionsShareAreNotChanged() {
    assertEquals("""
      x = input float32[1x2x3x3]
      c/weight = constant float32[2x2x3x3]
      c/bias = constant float32[2]
      c = Conv(x, c/weight, c/bias)
      w = constant float32[2x2x3x3]
      d = Conv(x, w)
      y = Add(c, d)
      return y=y
      """, PassText.after(pass, """
      x = input float32[1x2x3x3]
      w = constant random float32[2x2x3x3]
      k = constant random float32[2x1x1]
      c = Conv(x, w)
      n = Mul(c, k)
      d = Conv(x, w)
      y = Add(n, d)
      return y=y
      """));
  }

  @Test
  void namesStayUnique() {
    Graph after = PassText.graph(PassText.after(pass, """
      x = input float32[1x2x3x3]
      c/weight = constant random float32[2x2x3x3]
      k = constant random float32[2x1x1]
      c = Conv(x, c/weight)
      n = Mul(c, k)
      d = Conv(x, c/weight)
      y = Add(n, d)
      return y=y
      """).replace("constant ", "constant random "));
    assertTrue(after.toString().contains("c/weight_1 = constant"), after.toString());
  }
}
