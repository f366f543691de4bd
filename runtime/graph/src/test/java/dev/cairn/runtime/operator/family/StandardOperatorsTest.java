package dev.cairn.runtime.operator.family;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.graph.GraphFixture;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.infer.TypeInference;
import dev.cairn.runtime.infer.ValueEvaluator;
import dev.cairn.runtime.operator.MemoryTraits;
import dev.cairn.runtime.operator.OperatorDefinition;
import dev.cairn.runtime.operator.OperatorTable;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class StandardOperatorsTest {
  @Test
  void everyRowHasACaseThatSucceedsAndOneThatFails() {
    for (boolean success : new boolean[] {true, false}) {
      assertThat(covered(success)).as("operators with a case %s in the test of their family", success
        ? "OPERATOR(...) -> ..."
        : "OPERATOR(...) !! ...").containsExactlyInAnyOrderElementsOf(StandardOperators.table().names());
    }
  }

  private static Set<String> covered(boolean success) {
    return OperatorCases.all().filter(it -> it.succeeds() == success).map(TypeRuleCase::operator).collect(Collectors
      .toSet());
  }

  @Test
  void aliasesAreOperatorsThatOnlyChangeTheShape() {
    List<String> aliases = rows().filter(row -> row.memory().alias()).map(OperatorDefinition::name).toList();
    assertThat(aliases).contains("Dropout", "Flatten", "Identity", "Reshape", "Squeeze", "StopGradient",
      "Unsqueeze");
    for (String operator : aliases) {
      assertThat(OperatorCases.accepted(operator)).as(operator).isNotEmpty().allSatisfy(graph -> {
        var types = new TypeInference(StandardOperators.table(), ValueEvaluator.NONE).infer(graph, GraphFixture
          .inputTypes(graph));
        Node use = graph.outputs().getFirst().entry().node();
        TensorType from = types.type(use.inputs().getFirst());
        TensorType to = types.type(use.entry(0));
        assertThat(to.dtype()).isEqualTo(from.dtype());
        assertThat(to.shape().elementCount()).isEqualTo(from.shape().elementCount());
      });
    }
  }

  @Test
  void inPlacePairsAreWithinTheOperatorsInputs() {
    assertThat(rows()).allSatisfy(row -> assertThat(row.memory().inPlace()).allSatisfy(pair -> {
      assertThat(pair.input()).isBetween(0, row.maxInputs() - 1);
      assertThat(pair.output()).isBetween(0, 2);
    }));
  }

  @Test
  void comparisonsAreNotInPlaceBecauseAnOperandMayBeWiderThanTheResult() {
    for (String name : List.of("Equal", "Less", "LessOrEqual", "Greater", "GreaterOrEqual")) {
      assertThat(StandardOperators.table().get(name).memory()).isEqualTo(MemoryTraits.NONE.asElementwise());
    }
  }

  @Test
  void onlyTheElementwiseFamilyIsElementwiseAndWithoutInPlaceNone() {
    List<String> family = ElementwiseFamily.ROWS.stream().map(OperatorDefinition::name).sorted().toList();
    assertThat(rows().filter(row -> row.memory().elementwise()).map(OperatorDefinition::name)).isEqualTo(family)
      .contains("Add", "Clip", "Where").doesNotContain("Softmax", "MatMul", "Identity");
    OperatorTable without = StandardOperators.table().withoutInPlace();
    assertThat(without.names()).noneMatch(name -> without.get(name).memory().elementwise());
  }

  private static Stream<OperatorDefinition> rows() {
    return StandardOperators.table().names().stream().map(StandardOperators.table()::get);
  }
}
