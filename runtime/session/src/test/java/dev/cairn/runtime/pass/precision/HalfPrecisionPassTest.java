package dev.cairn.runtime.pass.precision;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.Precision;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.infer.ValueEvaluator;
import dev.cairn.runtime.operator.family.StandardOperators;
import dev.cairn.runtime.pass.PassContext;
import dev.cairn.runtime.pass.PassText;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class HalfPrecisionPassTest {
  private static final String HEAD = """
    x = input float32[2x3]
    w = constant random float32[3x3]
    b = constant random float32[3]
    """;

  private static HalfPrecisionPass pass(String... withoutKernel) {
    List<String> lacking = List.of(withoutKernel);
    return new HalfPrecisionPass(DType.FLOAT16, StandardOperators.table(),
      (operator, _) -> !lacking.contains(operator));
  }

  private static Graph applied(HalfPrecisionPass pass, Graph graph) {
    return pass.apply(graph, PassContext.of(PassText.types(graph, ValueEvaluator.NONE)));
  }

  private static String after(HalfPrecisionPass pass, String text) {
    return applied(pass, PassText.graph(HEAD + text)).toString();
  }

  @Test
  void productsAndWhatFollowsThemAreHalfAndOutputsAreNot() {
    String text = after(pass(), """
      m = MatMul(x, w)
      a = Add(m, b)
      r = Relu(a)
      return y=r
      """);
    assertTrue(text.contains("m = MatMul(x/float16, w/float16)"), text);
    assertTrue(text.contains("a = Add(m, b/float16)"), text);
    assertTrue(text.contains("r = Relu(a)"), text);
    assertTrue(text.contains("return y=r/float32"), text);
  }

  @Test
  void whatCanOverflowIsFloatAndSoIsWhatComesOfItUpToTheNextProduct() {
    String text = after(pass(), """
      m = MatMul(x, w)
      e = Exp(m)
      s = Sub(e, b)
      n = MatMul(s, w)
      return y=n
      """);
    assertTrue(text.contains("e = Exp(m/float32)"), text);
    assertTrue(text.contains("s = Sub(e, b)"), text);
    assertTrue(text.contains("n = MatMul(s/float16, w/float16)"), text);
  }

  @Test
  void aValueIsCastOnceForAllItsReaders() {
    String text = after(pass(), """
      m = MatMul(x, w)
      n = MatMul(x, w)
      e = Exp(m)
      f = Log(m)
      s = Sum(e, f, n)
      return y=s
      """);
    assertEquals(1, text.split("x/float16 = Cast", -1).length - 1, text);
    assertEquals(1, text.split("m/float32 = Cast", -1).length - 1, text);
  }

  @Test
  void whatNoProductReachesStaysAsItIs() {
    Graph graph = PassText.graph(HEAD + """
      a = Add(x, b)
      t = Tanh(a)
      return y=t
      """);
    assertSame(graph, applied(pass(), graph));
  }

  @Test
  void aNodeWithoutAKernelStaysFloat() {
    String text = after(pass("Tanh"), """
      m = MatMul(x, w)
      t = Tanh(m)
      n = MatMul(t, w)
      return y=n
      """);
    assertTrue(text.contains("t = Tanh(m/float32)"), text);
    Graph graph = PassText.graph(HEAD + "m = MatMul(x, w)\nreturn y=m\n");
    assertSame(graph, applied(pass("MatMul"), graph));
  }

  @Test
  void rowsOfAWeightAreHalf() {
    String text = after(pass(), """
      i = constant int64:[0,2]
      g = Gather(w, i)
      r = Relu(g)
      return y=r
      """);
    assertTrue(text.contains("g = Gather(w/float16, i)"), text);
    assertTrue(text.contains("r = Relu(g)"), text);
  }

  @Test
  void severalResultsAreHalfTogether() {
    String text = after(pass(), """
      m = MatMul(x, w)
      s = Split{axis=0, num_outputs=2}(m) -> 2
      e = Exp(s:1)
      return a=s, b=e
      """);
    assertTrue(text.contains("e = Exp(s/float32"), text);
    assertTrue(text.contains("a=s/float32"), text);
  }

  @Test
  void aSecondTimeChangesNothing() {
    Graph once = applied(pass(), PassText.graph(HEAD + """
      m = MatMul(x, w)
      l = LayerNormalization(m, b)
      p = Pow(l, b)
      a = Add(p, l)
      n = MatMul(a, w)
      return y=n, z=p
      """));
    assertSame(once, applied(pass(), once));
  }

  @Test
  void otherTypesAreNoHalves() {
    assertThrows(IllegalArgumentException.class, () -> new HalfPrecisionPass(DType.FLOAT32, StandardOperators
      .table(), (_, _) -> true));
    assertThrows(IllegalArgumentException.class, () -> Precision.of("float64"));
  }

  private static final List<String> UNARY = List.of("Relu", "Tanh", "Sigmoid", "Exp", "Neg", "Softmax", "Erf");

  /** A random graph of products, sums and others over values of about 1. */
  private static String random(Random random) {
    var text = new StringBuilder(HEAD);
    int values = 12;
    for (int i = 0; i < values; i++) {
      String left = i == 0 ? "x" : "v" + random.nextInt(i);
      String right = i == 0 ? "x" : "v" + random.nextInt(i);
      switch (random.nextInt(4)) {
        // Sums of three terms would grow from product to product.
        case 0 -> text.append("p%d = MatMul(%s, w)\nv%d = Tanh(p%d)\n".formatted(i, left, i, i));
        case 1 -> text.append("p%d = Add(%s, %s)\nv%d = Tanh(p%d)\n".formatted(i, left, right, i, i));
        case 2 -> text.append("v%d = Mul(%s, %s)\n".formatted(i, left, right));
        default -> text.append("p%d = Tanh(%s)\nv%d = %s(p%d)\n".formatted(i, left, i, UNARY.get(random.nextInt(UNARY
          .size())), i));
      }
    }
    return text.append("return y=v11, z=v%d\n".formatted(random.nextInt(values))).toString();
  }

  private static float[] run(Graph graph, Precision precision) {
    SessionOptions options = SessionOptions.DEFAULT.withThreads(1).withCompile(CompileOptions.DEFAULT.withPrecision(
      precision));
    try (var session = Session.of(graph, options);
      Tensor x = Tensor.of(new float[] {.5f, -.25f, .75f, -1, .1f, .3f}, 2,
        3);
      Result result = session.run(Map.of("x", x))) {
      float[] y = result.get("y").toFloatArray();
      float[] z = result.get("z").toFloatArray();
      float[] both = new float[y.length + z.length];
      System.arraycopy(y, 0, both, 0, y.length);
      System.arraycopy(z, 0, both, y.length, z.length);
      return both;
    }
  }

  @ParameterizedTest
  @EnumSource(names = "AS_WRITTEN", mode = EnumSource.Mode.EXCLUDE)
  void randomGraphsGiveNearlyTheSame(Precision precision) {
    // Twelve operators, each of which rounds once and amplifies earlier errors by at most about three.
    double most = (precision == Precision.FLOAT16 ? 0x1p-11 : 0x1p-8) * 64;
    for (int seed = 0; seed < 15; seed++) {
      Graph graph = PassText.graph(random(new Random(seed)));
      float[] expected = run(graph, Precision.AS_WRITTEN);
      float[] actual = run(graph, precision);
      assertEquals(expected.length, actual.length);
      for (int i = 0; i < expected.length; i++) {
        assertEquals(expected[i], actual[i], most * Math.max(1, Math.abs(expected[i])), "seed=" + seed + "\n" + graph);
      }
    }
  }

  @Test
  void theSessionsTypesAreTheModels() {
    Graph graph = PassText.graph(HEAD + "m = MatMul(x, w)\nreturn y=m\n");
    try (var session = Session.of(graph, SessionOptions.DEFAULT.withCompile(CompileOptions.DEFAULT.withPrecision(
      Precision.BFLOAT16)))) {
      var compiled = session.compiled().orElseThrow();
      NodeEntry output = compiled.graph().graph().outputs().getFirst().entry();
      assertEquals(DType.FLOAT32, compiled.types().type(output).dtype());
      String text = compiled.graph().graph().toString();
      assertTrue(text.contains("constant bfloat16[3x3]"), text);
    }
  }

  /** Exporters fill up batches like this: no key of the first text counts. */
  @ParameterizedTest
  @EnumSource(value = Precision.class, names = {"FLOAT16", "BFLOAT16"})
  void aMaskThatLeavesOutAllKeysMakesNoNan(Precision precision) {
    Graph graph = PassText.graph("""
      q = input float32[2x1x2x2]
      mask = input float32[2x1x1x2]
      k = Transpose{perm=[0,1,3,2]}(q)
      p = MatMul(q, k)
      s = Add(p, mask)
      w = Softmax(s)
      y = MatMul(w, q)
      return y=y
      """);
    float far = -Float.MAX_VALUE;
    SessionOptions options = SessionOptions.DEFAULT.withThreads(1).withCompile(CompileOptions.DEFAULT.withPrecision(
      precision));
    try (Session session = Session.of(graph, options);
      Tensor q = Tensor.of(new float[] {1, 0, 0, 1, 1, 0, 0, 1}, 2, 1, 2, 2);
      Tensor mask = Tensor.of(new float[] {far, far, 0, far}, 2, 1, 1, 2);
      Result result = session.run(Map.of("q", q, "mask", mask))) {
      assertTrue(session.compiled().orElseThrow().storage().steps().stream().anyMatch(it -> it.operator().equals(
        "Attention")));
      float[] y = result.get("y").toFloatArray();
      for (int i = 0; i < 4; i++) {
        assertTrue(y[i] > 0 && y[i] < 1, "element %d is %s".formatted(i, y[i]));
        assertEquals(i % 2 == 0 ? 1 : 0, y[4 + i]);
      }
    }
  }

  /** Two texts of two tokens of two numbers. */
  private static final float[] VALUES = {3, -2, 0, 1, 1, 0, 0, 5};

  private static float[] mixed(Graph graph, Precision precision, float[] mask) {
    SessionOptions options = SessionOptions.DEFAULT.withThreads(1).withCompile(CompileOptions.DEFAULT.withPrecision(
      precision).withAttention(false));
    try (Session session = Session.of(graph, options);
      Tensor q = Tensor.of(VALUES, 2, 1, 2, 2);
      Tensor m = Tensor.of(mask, 2, 1, 1, 2);
      Result result = session.run(Map.of("q", q, "mask", m))) {
      assertTrue(session.compiled().orElseThrow().storage().steps().stream().noneMatch(it -> it.operator().equals(
        "Attention")));
      return result.get("y").toFloatArray();
    }
  }

  /**
   * What a softmax reads is masked within the half type's numbers as well, in every way that exporters write it. Where
   * nothing counts float32 gives the mean, since -1e9 swallows all scores; any mean of the values will do.
   */
  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {"s = Add(p, mask)", "s = Sub(p, negative)",
    "a = Add(mask, p) / s = Reshape(a, shape)",
    "s = Where(some, p, far)", "s = Where(none, p, far)", "t = Where(some, p, far) / s = Add(t, mask)",
    "t = Add(p, mask) / s = Where(some, t, far)", "t = Add(p, mask) / u = Add(t, mask) / s = Where(none, u, far)"})
  void masksBesideASoftmaxMakeNoNan(String masks) {
    Graph graph = PassText.graph("""
      q = input float32[2x1x2x2]
      mask = input float32[2x1x1x2]
      negative = Neg(mask)
      shape = constant int64:[2,1,2,2]
      some = constant bool:[1,0,1,1] as 2x2
      none = constant bool:[0,0] as 1x2
      far = constant float32:[-1000000000]
      k = Transpose{perm=[0,1,3,2]}(q)
      p = MatMul(q, k)
      %s
      w = Softmax(s)
      y = MatMul(w, q)
      return y=y
      """.formatted(masks.replace(" / ", "\n")));
    float[][] all = {{-1e9f, -1e9f, 0, -1e9f}, {-1e6f, 0, -1e9f, -1e9f}, {0, 0, -1e9f, 0}};
    for (float[] mask : all) {
      float[] expected = mixed(graph, Precision.AS_WRITTEN, mask);
      for (Precision precision : new Precision[] {Precision.FLOAT16, Precision.BFLOAT16}) {
        float[] actual = mixed(graph, precision, mask);
        for (int i = 0; i < expected.length; i++) {
          int column = i / 4 * 4 + i % 2;
          double middle = (VALUES[column] + VALUES[column + 2]) / 2;
          double reach = Math.abs(VALUES[column] - VALUES[column + 2]) / 2;
          boolean isNothing = Math.abs(expected[i] - middle) < 1e-3;
          assertEquals(isNothing ? middle : expected[i], actual[i], isNothing ? reach + 0.05 : 0.05,
            "element=%d precision=%s mask=%s".formatted(i, precision, Arrays.toString(mask)));
        }
      }
    }
  }

  @Test
  void whatIsComputedInHalfAlreadyAndWhatNoSoftmaxReadsIsNotBounded() {
    String text = after(pass(), """
      m = MatMul(x, w)
      n = MatMul(x, w)
      a = Add(m, n)
      s = Softmax(a)
      c = Add(m, b)
      return y=s, z=c
      """);
    assertFalse(text.contains("Clip"), text);
  }

  /** What simplification makes of the several nodes that exporters write, each of which follows. */
  @Test
  void groupNormalisationAndSwishFollowAProduct() {
    String text = after(pass(), """
      i = input float32[1x4x2x2]
      v = constant random float32[4x4x1x1]
      s = constant random float32[4]
      c = Conv(i, v)
      g = GroupNormalization{num_groups=2}(c, s, s)
      a = Swish(g)
      y = Conv(a, v)
      return y=y
      """);
    assertTrue(text.contains("g = GroupNormalization{num_groups=2}(c, s/float16, s/float16)"), text);
    assertTrue(text.contains("a = Swish(g)"), text);
    assertTrue(text.contains("y = Conv(a, v/float16)"), text);
  }
}
