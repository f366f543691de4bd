package dev.cairn.runtime.pass.simplify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.infer.ValueEvaluator;
import dev.cairn.runtime.pass.Pass;
import dev.cairn.runtime.pass.PassManager;
import dev.cairn.runtime.pass.PassResult;
import dev.cairn.runtime.pass.PassText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** All passes together on random graphs: the same numbers come out, and nothing is left that could still go. */
class SimplifyRandomTest {
  private static final List<String> FORMS = List.of("Relu(%a)", "Neg(%a)", "Identity(%a)", "Dropout(%a)",
    "Cast{to=\"float32\"}(%a)", "Reshape(%a, same)", "Reshape(%a, flat)#Reshape(%p, same)",
    "Flatten{axis=2}(%a)#Reshape(%p, zero)", "Transpose{perm=[0,1,2,3]}(%a)",
    "Transpose{perm=[0,1,3,2]}(%a)#Transpose{perm=[0,1,3,2]}(%p)", "Conv(%a, w1)", "Conv(%a, w1, b1)",
    "Conv{group=2}(%a, w2)", "BatchNormalization(%a, s, t, m, v)", "Conv(%a, w1)#BatchNormalization(%p, s, t, m, v)",
    "Conv{group=2}(%a, w2, b1)#Mul(%p, k)#Add(l, %p)", "Add(%a, k)", "Mul(l, %a)", "Sub(one, %a)", "Div(%a, k)",
    "Add(%a, %b)", "Sub(%a, %b)", "Mul(%a, filled)", "Add(full, %a)");
  private static final String HEAD = """
    x = input float32[2x4x2x3]
    same = constant int64:[2,4,2,3]
    flat = constant int64:[-1]
    zero = constant int64:[2,4,2,3]
    w1 = constant random float32[4x4x1x1]
    w2 = constant random float32[4x2x1x1]
    b1 = constant random float32[4]
    s = constant random float32[4]
    t = constant random float32[4]
    m = constant random float32[4]
    v = constant random float32[4]
    k = constant random float32[4x1x1]
    l = constant random float32[1x4x1x1]
    one = constant random float32[1]
    filled = ConstantOfShape{value=float32:[0.25]}(same)
    full = Mul(filled, k)
    """;
  private static final List<Pass> PASSES = List.of(new ConstantFoldingPass(new NaiveInterpreter()),
    new RemoveIdentityPass(), new CollapseReshapePass(), new CommonSubexpressionPass(),
    new FoldBatchNormalizationPass());
  private static final Set<String> GONE = Set.of("Identity", "Dropout", "Cast", "Flatten", "ConstantOfShape");

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
  void computesTheSame(int block) {
    check(block * 4L, 4);
  }

  @Test
  @Tag("soak")
  void computesTheSameForMany() {
    check(40, 2_000);
  }

  private static void check(long first, int graphs) {
    for (long seed = first; seed < first + graphs; seed++) {
      Graph before = PassText.graph(random(new Random(seed)));
      var manager = new PassManager(graph -> PassText.types(graph, ValueEvaluator.NONE));
      PassResult result = manager.runUntilStable(before, PASSES, 20);
      Graph after = result.graph();
      String facts = "seed=" + seed + "\n" + before + result.report() + "\n" + after;
      assertTrue(result.report().steps().getLast().round() < 20, facts);
      assertSameResults(before, after, facts);
      List<String> left = after.nodes().stream().map(Node::operator).filter(GONE::contains).toList();
      assertEquals(List.of(), left, facts);
      assertTrue(after.nodes().size() <= before.nodes().size(), facts);
      assertEquals(after.toString(), manager.runUntilStable(before, PASSES, 20).graph().toString(), facts);
    }
  }

  private static void assertSameResults(Graph before, Graph after, String facts) {
    double[] x = new Random(1).doubles(2 * 4 * 2 * 3, -1, 1).toArray();
    List<double[]> wanted = NaiveInterpreter.run(before, PassText.types(before, ValueEvaluator.NONE), Map.of("x", x));
    List<double[]> given = NaiveInterpreter.run(after, PassText.types(after, ValueEvaluator.NONE), Map.of("x", x));
    for (int i = 0; i < wanted.size(); i++) {
      double scale = Math.max(1, Arrays.stream(wanted.get(i)).map(Math::abs).max().orElse(0));
      for (int e = 0; e < wanted.get(i).length; e++) {
        assertEquals(wanted.get(i)[e], given.get(i)[e], 1e-4 * scale, facts);
      }
    }
  }

  /** Nodes that keep the shape of the input, each over any before it; the last one and some others are outputs. */
  private static String random(Random random) {
    var text = new StringBuilder(HEAD);
    List<String> entries = new ArrayList<>(List.of("x"));
    for (int i = 0; i < 25; i++) {
      String before = "";
      String[] steps = FORMS.get(random.nextInt(FORMS.size())).split("#", -1);
      String a = entries.get(Math.max(0, entries.size() - 1 - random.nextInt(3)));
      String b = entries.get(random.nextInt(entries.size()));
      for (int j = 0; j < steps.length; j++) {
        String name = j == steps.length - 1 ? "n" + i : "n" + i + "_" + j;
        text.append(name).append(" = ")
          .append(steps[j].replace("%a", a).replace("%b", b).replace("%p", before)).append('\n');
        before = name;
      }
      entries.add("n" + i);
    }
    return text.append("return last=n24, other=n").append(random.nextInt(24)).append(", again=n")
      .append(random.nextInt(24)).append('\n').toString();
  }
}
