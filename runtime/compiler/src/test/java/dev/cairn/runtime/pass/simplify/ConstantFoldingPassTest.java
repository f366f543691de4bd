package dev.cairn.runtime.pass.simplify;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.infer.ValueEvaluator;
import dev.cairn.runtime.pass.PassContext;
import dev.cairn.runtime.pass.PassText;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConstantFoldingPassTest {
  private final ConstantFoldingPass pass = new ConstantFoldingPass(new NaiveInterpreter());

  private Graph folded(Graph graph) {
    return pass.apply(graph, PassContext.of(PassText.types(graph, ValueEvaluator.NONE)));
  }

  @Test
  void foldsKnownValuesAndWhateverReadsOnlyConstants() {
    Graph before = PassText.graph("""
      x = input float32[2x3]
      s = Shape(x)
      c = ConstantOfShape{value=float32:[2]}(s)
      a = constant float32:[1,2,3]
      d = Add(c, a)
      t = Transpose(d)
      y = MatMul(x, t)
      return y=y, shape=s
      """);
    Graph after = folded(before);
    assertEquals("""
      x = input float32[2x3]
      t = constant float32[3x2]
      y = MatMul(x, t)
      s = constant int64[2]
      return y=y, shape=s
      """, after.toString());
    var t = after.nodes().get(1).kind();
    assertTrue(t instanceof NodeKind.Constant(TensorView value) && value.segment().heapBase().isPresent(),
      "small results are garbage like any other");
    Graph only = after.withOutputs(List.of(new Graph.Output("t", after.nodes().get(1).entry())));
    assertArrayEquals(new double[] {3, 3, 4, 4, 5, 5},
      NaiveInterpreter.run(only, PassText.types(only, ValueEvaluator.NONE), Map.of("x", new double[6])).get(0));
  }

  @Test
  void leavesWhatDependsOnAnInput() {
    assertTrue(PassText.leaves(pass, """
      x = input float32[3]
      a = constant float32:[1,2,3]
      y = Add(x, a)
      return y=y
      """));
  }

  @Test
  void leavesWhatNobodyCanCompute() {
    assertTrue(PassText.leaves(new ConstantFoldingPass(ValueEvaluator.NONE), """
      a = constant float32:[1,2,3]
      y = Neg(a)
      return y=y
      """));
  }

  @Test
  void doesNotGrowTheGraphBeyondTwiceItsConstants() {
    // 40,000 bytes become 160,000: more than twice.
    Graph large = PassText.graph("""
      a = constant random float32[100x100]
      b = constant float32:[1,2,3,4] as 4x1x1
      y = Mul(a, b)
      return y=y
      """);
    assertSame(large, folded(large));
    // The transposed constant takes as many bytes as before, and the constant that only it read is freed.
    Graph turned = PassText.graph("""
      a = constant random float32[200x200]
      y = Transpose(a)
      return y=y
      """);
    assertEquals("y = constant float32[200x200]\nreturn y=y\n", folded(turned).toString());
  }

  @Test
  void oneWalkAtMostDoublesTheConstants() {
    var text = new StringBuilder("a = constant random float32[200x200]\n");
    var outputs = new StringBuilder("return a=a");
    for (int i = 0; i < 3; i++) {
      text.append("k%d = constant float32:%d\ny%d = Mul(a, k%d)\n".formatted(i, i + 1, i, i));
      outputs.append(", y%d=y%d".formatted(i, i));
    }
    Graph after = folded(PassText.graph(text.append(outputs).append('\n').toString()));
    List<String> constants = after.nodes().stream().filter(node -> node.operator().equals("constant"))
      .map(Node::name).toList();
    assertEquals(List.of("a", "y0", "k1", "k2"), constants, after.toString());
  }

  @Test
  void weightsThatAreMadeByFillingAreAlwaysFoldedAndCountAsWeights() {
    assertEquals("""
      x = input float32[1x300]
      t = constant float32[300x300]
      y = MatMul(x, t)
      return y=y
      """, folded(PassText.graph("""
      x = input float32[1x300]
      s = constant int64:[300,300]
      w = ConstantOfShape{value=float32:[0.5]}(s)
      k = constant float32:3
      v = Mul(w, k)
      t = Transpose(v)
      y = MatMul(x, t)
      return y=y
      """)).toString());
  }
}
