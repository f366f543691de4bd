package dev.cairn.runtime.operator.partial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.operator.family.StandardOperators;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ResultElementTest {
  private static final NodeEntry A = input("a");
  private static final NodeEntry B = input("b");
  private static final NodeEntry C = input("c");

  private static NodeEntry input(String name) {
    return Node.input(name, DeclaredType.of(TensorType.of(DType.FLOAT32, 2))).entry();
  }

  private static Optional<DType> result(Map<NodeEntry, DType> known, String operator, Attributes attributes,
    NodeEntry... operands) {
    Node node = Node.apply("node", operator, attributes, List.of(operands));
    return ResultElement.of(StandardOperators.table().facts(operator).partial(), node.entry(), it -> Optional
      .ofNullable(known.get(it)));
  }

  @Test
  void operatorsThatFixItTellItOfUnknownOperands() {
    assertThat(result(Map.of(), "Equal", Attributes.NONE, A, B)).contains(DType.BOOL);
    assertThat(result(Map.of(), "Shape", Attributes.NONE, A)).contains(DType.INT64);
    assertThat(result(Map.of(), "ConstantOfShape", Attributes.NONE, A)).contains(DType.FLOAT32);
    assertThat(result(Map.of(), "Cast", Attributes.NONE.with("to", new AttributeValue.Text("int8")), A))
      .contains(DType.INT8);
  }

  @Test
  void othersHaveThatOfTheOperandThatDecidesIt() {
    assertThat(result(Map.of(), "Add", Attributes.NONE, A, B)).isEmpty();
    assertThat(result(Map.of(B, DType.INT32), "Add", Attributes.NONE, A, B)).contains(DType.INT32);
    assertThat(result(Map.of(A, DType.BOOL), "Where", Attributes.NONE, A, B, C)).isEmpty();
    assertThat(result(Map.of(A, DType.BOOL, C, DType.INT8), "Where", Attributes.NONE, A, B, C)).contains(DType.INT8);
    assertThat(result(Map.of(A, DType.FLOAT32, B, DType.INT8), "CastLike", Attributes.NONE, A, B)).contains(DType.INT8);
  }

  @Test
  void aRuleThatTellsNothingLeavesItOpen() {
    assertThat(result(Map.of(A, DType.INT8), "TopK", Attributes.NONE, A, B)).isEmpty();
  }
}
