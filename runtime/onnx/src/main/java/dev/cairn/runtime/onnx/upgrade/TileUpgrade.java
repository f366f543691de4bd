package dev.cairn.runtime.onnx.upgrade;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.expression.GraphExpression;
import dev.cairn.runtime.graph.NodeEntry;
import java.util.List;

/** Until opset 6, one axis was repeated: its number and that of the copies were operands of the tensor's type. */
final class TileUpgrade implements Upgrade {
  @Override
  public List<NodeEntry> apply(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    GraphExpression rank = made.input(0).extents(Attributes.NONE).extents(Attributes.NONE);
    GraphExpression ones = rank.call(Operators.CONSTANT_OF_SHAPE, Attributes.NONE.with("value",
      new AttributeValue.Tensor(TensorView.ofLongs(1))));
    GraphExpression copies = made.input(1).astype(DType.INT64).flatten();
    GraphExpression axis = made.input(2).astype(DType.INT64).flatten();
    GraphExpression repeats = ones.callAll("ScatterElements", Attributes.NONE, 1, List.of(axis, copies)).getFirst();
    return scope.node(old.withFurtherInputs(repeats.entry()));
  }
}
