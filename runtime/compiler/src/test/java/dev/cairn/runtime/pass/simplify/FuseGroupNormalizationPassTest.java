package dev.cairn.runtime.pass.simplify;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.infer.ValueEvaluator;
import dev.cairn.runtime.pass.PassManager;
import dev.cairn.runtime.pass.PassText;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FuseGroupNormalizationPassTest {
  private static final FuseGroupNormalizationPass PASS = new FuseGroupNormalizationPass();
  private static final String HEAD = """
    x = input float32[2x6x4x5]
    split = constant int64:[0,3,-1]
    pairs = constant int64:[0,3,2,-1]
    whole = constant int64:[2,6,4,5]
    other = constant int64:[2,3,2,20]
    back = constant int64:[6,2,4,5]
    s = constant random float32[3]
    b = constant random float32[3]
    k = constant random float32[6x1x1]
    l = constant random float32[1x6x1x1]
    """;

  private static String text(String nodes) {
    return HEAD + nodes.replace("; ", "\n") + "\nreturn y=y\n";
  }

  @Test
  void asExportersWriteIt() {
    assertEquals("""
      x = input float32[2x6x4x5]
      n/scale = constant float32[6]
      n/bias = constant float32[6]
      y = GroupNormalization{epsilon=0.01, num_groups=3}(x, n/scale, n/bias)
      return y=y
      """, PassText.after(PASS, text("r = Reshape(x, split); n = InstanceNormalization{epsilon=0.01}(r, s, b); "
      + "y = Reshape(n, whole)")));
  }

  /** With what scales and shifts channels afterwards, and twice, one of what the other gives. */
  @ParameterizedTest
  @ValueSource(strings = {
    "r = Reshape(x, split); n = InstanceNormalization(r, s, b); y = Reshape(n, whole)",
    "r = Reshape(x, pairs); n = InstanceNormalization{epsilon=0.1}(r, s, b); m = Reshape(n, whole); y = Relu(m)",
    "r = Reshape(x, split); n = InstanceNormalization(r, s, b); m = Reshape(n, whole); c = Mul(m, k); y = Add(l, c)",
    "r = Reshape(x, split); n = InstanceNormalization(r, s, b); m = Reshape(n, whole); q = Reshape(m, split); "
      + "o = InstanceNormalization(q, b, s); z = Reshape(o, whole); y = Sub(z, l)"})
  void computesTheSame(String nodes) {
    Graph before = PassText.graph(text(nodes));
    GraphTypes types = PassText.types(before, ValueEvaluator.NONE);
    Graph after = new PassManager(it -> PassText.types(it, ValueEvaluator.NONE)).run(before, List.of(PASS,
      new FoldBatchNormalizationPass())).graph();
    assertTrue(after.nodes().stream().noneMatch(it -> List.of("InstanceNormalization", "Mul", "Add", "Sub").contains(it
      .operator())), after.toString());
    double[] x = new Random(3).doubles(2 * 6 * 4 * 5, -1, 1).toArray();
    List<double[]> wanted = NaiveInterpreter.run(before, types, Map.of("x", x));
    List<double[]> given = NaiveInterpreter.run(after, PassText.types(after, ValueEvaluator.NONE), Map.of("x", x));
    assertArrayEquals(wanted.getFirst(), given.getFirst(), 2e-5);
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "r = Reshape(x, split); n = InstanceNormalization(r, s, b); y = Reshape(n, other)",
    "r = Reshape(x, split); n = InstanceNormalization(r, s, b); y = Reshape(n, back)",
    "r = Reshape(x, split); n = InstanceNormalization(r, s, b); m = Reshape(n, whole); z = Reshape(n, other); "
      + "o = Reshape(z, whole); y = Add(m, o)",
    "z = input float32[3]; r = Reshape(x, split); n = InstanceNormalization(r, z, b); y = Reshape(n, whole)",
    "r = Reshape(x, split); n = InstanceNormalization(r, s, b) # precision=float32; y = Reshape(n, whole)",
    "r = Reshape(x, split) # cairn.repeat=never; n = InstanceNormalization(r, s, b); y = Reshape(n, whole)",
    "r = Reshape(x, split); n = InstanceNormalization(r, s, b); y = Reshape(n, whole) # cairn.repeat=never",
    "z = input float32[2x3x40]; n = InstanceNormalization(z, s, b); y = Reshape(n, whole)"})
  void notOfOthers(String nodes) {
    assertTrue(PassText.leaves(PASS, text(nodes)));
  }
}
