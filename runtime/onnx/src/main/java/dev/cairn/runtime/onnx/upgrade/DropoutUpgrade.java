package dev.cairn.runtime.onnx.upgrade;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.expression.GraphExpression;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import java.util.List;

/**
 * The share of dropped elements was an attribute and became an input in opset 12. In training the graph's form has
 * attribute {@code training_mode}; until opset 7, {@code is_test=0} asked for training. Until opset 12, the mask of a
 * node that drops nothing was zero, and until opset 10 it had the operand's type. Where an input decides in each run
 * whether it trains, Dropout is written with random numbers:
 *
 * <pre>
 * mask = RandomUniformLike(x) >= ratio or not training
 * y = Where(mask, x / Where(training, 1 - ratio, 1), 0)
 * </pre>
 */
final class DropoutUpgrade implements Upgrade {
  private static final float RATIO = 0.5f;
  private static final long FIRST_WITH_MASK_OF_KEPT = 12;
  private static final long FIRST_WITH_MASK_OF_BOOLEANS = 10;

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
    Attributes given = old.attributes();
    OldNode plain = old.withAttributes(given.without("ratio").without("is_test"));
    if (!given.getFlag("is_test", true)) {
      NodeEntry ratio = scope.real(old, "ratio", DType.FLOAT32, given.getFloat("ratio", RATIO));
      return scope.node(old.as("Dropout", drawn(plain).with("training_mode", 1), old.input(0), ratio));
    }
    OldNode current = given.has("ratio")
      ? plain.withFurtherInputs(scope.real(old, "ratio", DType.FLOAT32, given.getFloat("ratio", 0)))
      : plain;
    return old.outputs() > 1 && old.operator().opset() < FIRST_WITH_MASK_OF_KEPT
      ? List.of(scope.node(current.withOutputs(1)).getFirst(), zeroMask(old, scope))
      : scope.node(current);
  }

  private static NodeEntry zeroMask(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    GraphExpression zero = old.operator().opset() < FIRST_WITH_MASK_OF_BOOLEANS
      ? made.likeFirst("mask", 0)
      : made.single("mask", 0).astype(DType.BOOL);
    return zero.broadcastTo(made.input(0).extents(Attributes.NONE)).entry();
  }

  private static Attributes drawn(OldNode old) {
    Attributes given = SeedUpgrade.seeded(old);
    return given.has("seed")
      ? Attributes.NONE.with("seed", new AttributeValue.Real(given.getLong("seed", 0)))
      : given;
  }

  private static List<NodeEntry> decidedLater(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    GraphExpression x = made.input(0);
    GraphExpression training = made.input(2);
    GraphExpression given = made.hasInput(1) ? made.input(1) : made.single("ratio", RATIO);
    GraphExpression ratio = given.castLike(x);
    GraphExpression one = made.likeFirst("one", 1);
    GraphExpression zero = made.likeFirst("zero", 0);
    Attributes random = drawn(old).with("dtype", new AttributeValue.Text(DType.FLOAT32.toString()));
    GraphExpression drawn = x.call("RandomUniformLike", random).ge(given.astype(DType.FLOAT32));
    GraphExpression mask = drawn.logicalOr(training.logicalNot());
    GraphExpression kept = training.where(one.sub(ratio), one);
    GraphExpression y = made.last(mask, 1).where(x.div(kept), zero);
    return old.first(List.of(y.entry(), mask.entry()));
  }
}
