package dev.cairn.runtime.zoo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.infer.InputBinding;
import dev.cairn.runtime.infer.TypeInference;
import dev.cairn.runtime.infer.ValueEvaluator;
import dev.cairn.runtime.operator.family.StandardOperators;
import dev.cairn.runtime.pass.PassManager;
import dev.cairn.runtime.pass.PassReport;
import dev.cairn.runtime.pass.PassResult;
import dev.cairn.runtime.pass.simplify.CollapseReshapePass;
import dev.cairn.runtime.pass.simplify.CommonSubexpressionPass;
import dev.cairn.runtime.pass.simplify.ConstantFoldingPass;
import dev.cairn.runtime.pass.simplify.FoldBatchNormalizationPass;
import dev.cairn.runtime.pass.simplify.RemoveIdentityPass;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is left of the reference models when the simplifying passes are done. */
class ZooSimplifyTest {

  @ParameterizedTest
  @CsvSource({"mlp, 5, 5", "resnet50, 175, 122", "mobilenet_v2, 152, 100", "bert_base, 421, 421", "gpt2, 463, 451"})
  void simplifies(String name, int before, int after) {
    Graph graph = Zoo.build(name, ZooOptions.DEFAULT.withSequenceLength(8));
    PassResult result = simplified(graph);
    assertEquals(before, PassReport.Size.of(graph).operators());
    assertEquals(after, PassReport.Size.of(result.graph()).operators(), result.report().toString());
    var operators = new TreeSet<>(result.graph().nodes().stream().map(Node::operator).toList());
    assertTrue(!operators.contains("BatchNormalization"), operators.toString());
    long scalars = result.graph().nodes().stream().filter(ZooSimplifyTest::isScalar).count();
    assertTrue(scalars <= 7, "equal constants are one: " + scalars);
  }

  private static boolean isScalar(Node node) {
    return node.kind() instanceof NodeKind.Constant(var value) && value.shape().rank() == 0;
  }

  private static PassResult simplified(Graph graph) {
    var inference = new TypeInference(StandardOperators.table(), ValueEvaluator.NONE);
    var manager = new PassManager(g -> inference.infer(g, InputBinding.ofShapes(g, Map.of())));
    return manager.runUntilStable(graph, List.of(new ConstantFoldingPass(ValueEvaluator.NONE), new RemoveIdentityPass(),
      new CollapseReshapePass(), new CommonSubexpressionPass(), new FoldBatchNormalizationPass()), 8);
  }
}
