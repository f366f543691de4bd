package dev.cairn.runtime.pass.simplify;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphFixture;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.infer.ValueEvaluator;
import dev.cairn.runtime.pass.Pass;
import dev.cairn.runtime.pass.PassManager;
import dev.cairn.runtime.pass.PassText;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An assign is neither folded nor merged, and old and new values of a variable stay apart. */
class SimplifyVariablesTest {
  private static final List<Pass> PASSES = List.of(new ConstantFoldingPass(new NaiveInterpreter()),
    new RemoveIdentityPass(), new CollapseReshapePass(), new FoldBatchNormalizationPass(),
    new CommonSubexpressionPass());

  private final GraphFixture fixture = new GraphFixture();
  private final NodeEntry w = fixture.variable("w", TensorView.ofFloats(Shape.of(2), 1, 2));
  private final NodeEntry v = fixture.variable("v", TensorView.ofFloats(Shape.of(2), 1, 2));
  private final NodeEntry c = fixture.constant("c", TensorView.ofFloats(Shape.of(2), 3, 4));

  private void assertSimplified(String wanted, NodeEntry... outputs) {
    Graph simplified = new PassManager(graph -> PassText.types(graph, ValueEvaluator.NONE))
      .runUntilStable(fixture.graph(outputs), PASSES, 9).graph();
    assertEquals(wanted, simplified.toString());
  }

  @Test
  void assignsOfConstantsStayAndTheirValuesAreFolded() {
    NodeEntry a = fixture.assign("a", w, fixture.apply("n", "Neg", c));
    fixture.assign("b", v, fixture.apply("n2", "Neg", c));
    assertSimplified("""
      w = variable float32[2]
      n = constant float32[2]
      a = assign(w, n)
      y = Neg(a)
      v = variable float32[2]
      b = assign(v, n)
      return y=y
      """, fixture.apply("y", "Neg", a));
  }

  @Test
  void readersOfOldAndNewValuesAreNotMerged() {
    NodeEntry a = fixture.assign("a", w, fixture.apply("id", "Identity", fixture.apply("sum", "Add", w, c)));
    NodeEntry old = fixture.apply("old", "Neg", w);
    NodeEntry sameOld = fixture.apply("sameOld", "Neg", fixture.apply("again", "Identity", w));
    NodeEntry now = fixture.apply("now", "Neg", a);
    assertSimplified("""
      w = variable float32[2]
      c = constant float32[2]
      sameOld = Neg(w)
      sum = Add(w, c)
      a = assign(w, sum)
      now = Neg(a)
      part = Add(now, sameOld)
      y = Add(part, sameOld)
      return y=y
      """, fixture.apply("y", "Add", fixture.apply("part", "Add", now, sameOld), old));
  }

  @Test
  void twoVariablesOfOneInitialValueStayTwo() {
    assertSimplified("""
      w = variable float32[2]
      v = variable float32[2]
      y = Add(w, v)
      return y=y
      """, fixture.apply("y", "Add", w, v));
  }
}
