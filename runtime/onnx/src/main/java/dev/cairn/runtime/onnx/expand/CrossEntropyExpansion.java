package dev.cairn.runtime.onnx.expand;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.onnx.upgrade.OldNode;
import dev.cairn.runtime.onnx.upgrade.Upgrade;
import dev.cairn.runtime.onnx.upgrade.UpgradeScope;
import java.util.List;

/** The {@link LikelihoodExpansion} of the softmax of scores, whose logarithm is a second result. */
final class CrossEntropyExpansion implements Upgrade {
  @Override
  public List<NodeEntry> apply(OldNode old, UpgradeScope scope) {
    NodeEntry likelihoods = scope.node(old, "LogSoftmax", Attributes.NONE.with("axis", 1), old.input(0));
    var loss = new OldNode(old.name(), old.operator(), old.attributes(), old.inputs(), 1);
    NodeEntry result = new LikelihoodExpansion.Parts(loss, scope).reduced(likelihoods).getFirst();
    return old.outputs() == 1 ? List.of(result) : List.of(result, likelihoods);
  }
}
