package dev.cairn.runtime.operator.gradient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphFixture;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.infer.TypeInference;
import dev.cairn.runtime.infer.ValueEvaluator;
import dev.cairn.runtime.operator.UnsupportedOperators;
import dev.cairn.runtime.operator.family.StandardOperators;
import dev.cairn.runtime.pass.gradient.GradientGraph;
import dev.cairn.runtime.pass.gradient.GradientOptions;
import dev.cairn.runtime.pass.gradient.GradientPass;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class NormalizationGradientsTest {
  /** Operators of gradients have no gradients themselves: first derivatives only. */
  private static Stream<DynamicTest> first(String table) {
    return table.lines().map(line -> DynamicTest.dynamicTest(line, () -> GradientDifferences.checkFirst(line)));
  }

  @TestFactory
  Stream<DynamicTest> gradientsAreCentralDifferences() {
    return first("""
      LayerNormalization([4x6], [6], [6])
      LayerNormalization{axis=1}([2x3x4], [3x4], [4])
      LayerNormalization{axis=0}([2x5], [1])
      LayerNormalization([2x3x4], [1x1x4], [1x3x1])
      LayerNormalization([2x3x4], [2x1x4], [4])
      LayerNormalization([2x3x4], [4], [2x3x4])
      InstanceNormalization([2x3x4], [3], [3])
      InstanceNormalization{epsilon=0.5}([2x3x2x2], [3], [3])
      GroupNormalization{num_groups=2}([2x4x3], [4], [4])
      GroupNormalization{num_groups=1}([2x4], [4], [4])
      BatchNormalization{training_mode=1}([5x3], [3], [3], float64:[1,2,3], float64:[1,2,3])
      BatchNormalization{training_mode=1}([5], [1], [1], float64:[1], float64:[1])
      BatchNormalization{training_mode=1, epsilon=0.5}([2x3x2x2], [3], [3], float64:[1,2,3], float64:[1,2,3])
      """);
  }

  @TestFactory
  Stream<DynamicTest> gradientsOfCompositesHaveGradients() {
    return GradientDifferences.tests("""
      BatchNormalization([2x3x4], [3], [3], float64:[1,2,3], float64:[1,2,3])
      BatchNormalization([3], [1], [1], float64:[1], float64:[2])
      RMSNormalization([2x3x4], [4])
      RMSNormalization{axis=1, epsilon=0.5}([2x3x4], [3x1])
      LpNormalization([3x4])
      LpNormalization{p=1, axis=0}([3x4])
      """);
  }

  private static GradientGraph gradients(String use, String type, String channels, int results, int head) {
    var fixture = new GraphFixture();
    NodeEntry x = fixture.input("x", type);
    NodeEntry w = fixture.input("w", channels);
    List<NodeEntry> ys = use.startsWith("B")
      ? fixture.applyForAll("y", use, results, x, w, w, w, w)
      : fixture.applyForAll("y", use, results, x, w);
    Graph graph = fixture.graph(ys.toArray(NodeEntry[]::new));
    var types = new TypeInference(StandardOperators.table(), ValueEvaluator.NONE).infer(graph, GraphFixture.inputTypes(
      graph));
    return new GradientPass(StandardOperators.table(), GradientOptions.DEFAULT).of(graph, types, List.of(
      GradientPass.Head.of(ys.get(head))), List.of(x));
  }

  /** G-18: saved statistics are read where they are as exact as the data. */
  @Test
  void g18SavedStatisticsAreRead() {
    String training = "BatchNormalization{training_mode=1}";
    assertThat(gradients(training, "float32[4x3]", "float32[3]", 5, 0).withOutputs().toString()).contains(
      "x, w, y:3, y:4)");
    assertThat(gradients(training, "float32[4x3]", "float32[3]", 3, 0).withOutputs().toString()).contains("x, w)");
    assertThat(gradients("LayerNormalization", "float32[4x3]", "float32[3]", 3, 0).withOutputs().toString()).contains(
      "x, w, y:1, y:2)");
    assertThat(gradients("LayerNormalization", "float64[4x3]", "float64[3]", 3, 0).withOutputs().toString()).contains(
      "Gradient{axis=-1, epsilon=1.0E-5}(y/gradient/ConstantOfShape, x, w)");
  }

  @Test
  void gradientsOfStatisticsAreRefused() {
    assertThatThrownBy(() -> gradients("LayerNormalization", "float32[4x3]", "float32[3]", 3, 1)).isInstanceOf(
      UnsupportedOperators.class).hasMessageContaining("means and deviations");
    assertThatThrownBy(() -> gradients("BatchNormalization{training_mode=1}", "float32[4x3]", "float32[3]", 5, 4))
      .isInstanceOf(UnsupportedOperators.class).hasMessageContaining("saved statistics");
  }
}
