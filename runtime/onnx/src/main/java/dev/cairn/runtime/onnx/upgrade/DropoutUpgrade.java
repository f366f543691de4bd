package dev.cairn.runtime.onnx.upgrade;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import java.util.List;

/**
 * The share of dropped elements was an attribute and became an input in opset 12. In training the graph's form has
 * attribute {@code training_mode}. Where an input decides that in each run, it is written with random numbers:
 *
 * <pre>
 * mask = RandomUniformLike(x) >= ratio or not training
 * y = Where(mask, x / Where(training, 1 - ratio, 1), 0)
 * </pre>
 */
final class DropoutUpgrade implements Upgrade {
  private static final float RATIO = 0.5f;

  @Override
  public List<NodeEntry> apply(OldNode old, UpgradeScope scope) {
    NodeEntry training = old.input(2);
    if (!training.isAbsent()) {
      if (!(training.node().kind() instanceof NodeKind.Constant(var value)) || value.elementCount() != 1) {
        return decidedLater(old, scope);
      }
      if (value.longAt(0) != 0) {
        return scope.node(old.as("Dropout", drawn(old).with("training_mode", 1), old.input(0), old.input(1)));
      }
    }
    if (!old.attributes().has("ratio")) {
      return scope.node(old);
    }
    NodeEntry ratio = scope.real(old, "ratio", DType.FLOAT32, old.attributes().getFloat("ratio", 0));
    return scope.node(old.withAttributes(old.attributes().without("ratio")).withFurtherInputs(ratio));
  }

  private static Attributes drawn(OldNode old) {
    Attributes given = SeedUpgrade.seeded(old);
    return given.has("seed")
      ? Attributes.NONE.with("seed", new AttributeValue.Real(given.getLong("seed", 0)))
      : given;
  }

  private static List<NodeEntry> decidedLater(OldNode old, UpgradeScope scope) {
    NodeEntry x = old.input(0);
    NodeEntry training = old.input(2);
    NodeEntry given = old.input(1).isAbsent() ? scope.single(old, "ratio", RATIO) : old.input(1);
    NodeEntry ratio = node(old, scope, "CastLike", given, x);
    NodeEntry one = node(old, scope, "CastLike", scope.single(old, "one", 1), x);
    NodeEntry zero = node(old, scope, "CastLike", scope.single(old, "zero", 0), x);
    NodeEntry drawn = node(old, scope, "GreaterOrEqual", draw(old, scope), scope.node(old, "Cast", single(),
      given));
    NodeEntry mask = node(old, scope, "Or", drawn, node(old, scope, "Not", training));
    NodeEntry kept = node(old, scope, "Where", training, node(old, scope, "Sub", one, ratio), one);
    NodeEntry scaled = node(old, scope, "Div", x, kept);
    NodeEntry y = scope.node(new OldNode(old.name(), new OldNode.Operator("", "Where", old.operator().opset()),
      Attributes.NONE, List.of(mask, scaled, zero), 1)).getFirst();
    return List.of(y, mask).subList(0, old.outputs());
  }

  private static Attributes single() {
    return Attributes.NONE.with("to", new AttributeValue.Text(DType.FLOAT32.toString()));
  }

  private static NodeEntry draw(OldNode old, UpgradeScope scope) {
    Attributes attributes = drawn(old).with("dtype", new AttributeValue.Text(DType.FLOAT32.toString()));
    return scope.node(old, "RandomUniformLike", attributes, old.input(0));
  }

  private static NodeEntry node(OldNode old, UpgradeScope scope, String operator, NodeEntry... inputs) {
    return scope.node(old, operator, Attributes.NONE, inputs);
  }
}
