package dev.cairn.runtime.onnx.expand;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.onnx.upgrade.OldNode;
import dev.cairn.runtime.onnx.upgrade.Upgrade;
import dev.cairn.runtime.onnx.upgrade.UpgradeScope;
import java.util.List;

/**
 * The negative logarithm of the target class's likelihood, weighted by class; targets to ignore have weight 0:
 *
 * <pre>
 * loss = -Squeeze(GatherElements(x, Unsqueeze(target, 1), axis=1), 1) * weight of the target
 * y = loss, its sum, or its sum over the sum of the weights
 * </pre>
 */
final class LikelihoodExpansion implements Upgrade {
  @Override
  public List<NodeEntry> apply(OldNode old, UpgradeScope scope) {
    return new Parts(old, scope).reduced(old.input(0));
  }

  /** The pieces of one loss. Inputs 1 and 2 of the old node are targets and weights. */
  record Parts(OldNode old, UpgradeScope scope) {

    /** @param likelihoods their logarithms, {@code [N,C,...]} */
    List<NodeEntry> reduced(NodeEntry likelihoods) {
      String reduction = old.attributes().getText("reduction", "mean");
      NodeEntry weights = weights(likelihoods);
      NodeEntry loss = loss(likelihoods);
      Attributes flat = Attributes.NONE.with("keepdims", 0);
      return switch (reduction) {
        case "none" -> scope.node(old.as("Mul", Attributes.NONE, loss, weights));
        case "sum" -> scope.node(old.as("ReduceSum", flat, node("Mul", loss, weights)));
        case "mean" -> scope.node(old.as("Div", Attributes.NONE, scope.node(old, "ReduceSum", flat, node("Mul", loss,
          weights)), scope.node(old, "ReduceSum", flat, weights)));
        default -> throw new IllegalArgumentException("no such reduction: reduction=" + reduction);
      };
    }

    private boolean ignores() {
      return old.attributes().has("ignore_index");
    }

    private NodeEntry ignored() {
      NodeEntry index = scope.whole(old, "ignore_index", old.attributes().getLong("ignore_index", 0));
      return node("Equal", old.input(1), node("CastLike", index, old.input(1)));
    }

    /** The targets, with class 0 in place of those that are ignored. */
    private NodeEntry targets() {
      NodeEntry first = node("CastLike", scope.whole(old, "class", 0), old.input(1));
      return ignores() ? node("Where", ignored(), first, old.input(1)) : old.input(1);
    }

    private NodeEntry loss(NodeEntry likelihoods) {
      NodeEntry axis = scope.longs(old, "axis", 1);
      NodeEntry picked = scope.node(old, "GatherElements", Attributes.NONE.with("axis", 1), likelihoods, node(
        "Unsqueeze", targets(), axis));
      return node("Neg", node("Squeeze", picked, axis));
    }

    private NodeEntry weights(NodeEntry likelihoods) {
      NodeEntry one = node("CastLike", scope.single(old, "one", 1), likelihoods);
      NodeEntry given = old.input(2).isAbsent()
        ? node("Expand", one, node("Shape", old.input(1)))
        : node("Gather", old.input(2), targets());
      NodeEntry zero = node("CastLike", scope.single(old, "zero", 0), likelihoods);
      return ignores() ? node("Where", ignored(), zero, given) : given;
    }

    private NodeEntry node(String operator, NodeEntry... inputs) {
      return scope.node(old, operator, Attributes.NONE, inputs);
    }
  }
}
