package dev.cairn.runtime.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.operator.family.StandardOperators;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** D-1: type rules of a use of an operator that is no node of a graph. */
class TypeContextTest {
  private static final TensorType MATRIX = TensorType.of(DType.FLOAT32, 2, 3);

  private static TypeContext use(String operator, List<Optional<TensorType>> types, TensorView... values) {
    return new TypeContext("call", new NodeKind.Apply(operator, Attributes.NONE, 1), types,
      input -> input < values.length ? Optional.of(values[input]) : Optional.empty());
  }

  private static List<TensorType> inferred(TypeContext context, String operator) {
    return StandardOperators.table().get(operator).typeRule().infer(context);
  }

  @Test
  void typesFollowFromOperandsWithoutAGraph() {
    var add = use("Add", List.of(Optional.of(MATRIX), Optional.of(TensorType.of(DType.FLOAT32, 3))));
    assertThat(inferred(add, "Add")).containsExactly(MATRIX);
  }

  @Test
  void knownValuesAreThoseOfTheOperand() {
    TensorView shape = TensorView.ofLongs(3, -1);
    var reshape = use("Reshape", List.of(Optional.of(MATRIX), Optional.of(shape.type())), TensorView.ofLongs(0), shape);
    assertThat(inferred(reshape, "Reshape")).containsExactly(TensorType.of(DType.FLOAT32, 3, 2));
  }

  @Test
  void anUnknownValueNamesItsOperand() {
    var reshape = use("Reshape", List.of(Optional.of(MATRIX), Optional.of(TensorType.of(DType.INT64, 2))));
    var refused = catchThrowableOfType(ValueDependentShape.class, () -> inferred(reshape, "Reshape"));
    assertThat(refused.input()).isEqualTo(1);
    assertThat(refused.node()).isEqualTo("call");
  }

  @Test
  void errorsNameTheUseAndItsTypes() {
    var add = use("Add", List.of(Optional.of(MATRIX), Optional.empty()));
    assertThatThrownBy(() -> inferred(add, "Add")).isInstanceOf(InvalidGraph.class)
      .hasMessage("Add(float32[2x3], _): an input is missing: input=1: node=call");
    assertThatThrownBy(() -> add.input(2)).hasMessageContaining("input=2");
    assertThatThrownBy(() -> add.knownValue(1)).hasMessageContaining("input=1");
  }

  @Test
  void anotherShapeIsThatOfOneOperandOnly() {
    TypeContext changed = use("Add", List.of(Optional.of(MATRIX), Optional.of(MATRIX))).withShape(0, Shape.of(7));
    assertThat(changed.shape(0)).isEqualTo(Shape.of(7));
    assertThat(changed.shape(1)).isEqualTo(Shape.of(2, 3));
  }

  @Test
  void theFirstOperandsOfAnotherOperatorLeaveOutAbsentOnesAtTheEnd() {
    var clip = use("Clip", List.of(Optional.of(MATRIX), Optional.empty(), Optional.of(MATRIX)));
    assertThat(clip.of("Relu", Attributes.NONE, 2).inputCount()).isEqualTo(1);
    assertThat(clip.of("Clip", Attributes.NONE, 3).inputCount()).isEqualTo(3);
  }
}
