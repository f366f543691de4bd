package dev.cairn.runtime.onnx.expand;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.onnx.upgrade.OldNode;
import dev.cairn.runtime.onnx.upgrade.UpgradeScope;
import java.util.ArrayList;
import java.util.List;

/** Real-valued operators of domain com.microsoft, which ONNX Runtime's optimiser writes, with ONNX's own. */
final class MicrosoftExpansions {
  private static final Attributes LAST = Attributes.NONE.with("axis", -1);

  private MicrosoftExpansions() {}

  static List<NodeEntry> gelu(OldNode old, UpgradeScope scope) {
    return scope.node(old.as("Gelu", Attributes.NONE, old.input(0)));
  }

  static List<NodeEntry> biasGelu(OldNode old, UpgradeScope scope) {
    return scope.node(old.as("Gelu", Attributes.NONE, sum(old, scope, old.input(0), old.input(1))));
  }

  static List<NodeEntry> fastGelu(OldNode old, UpgradeScope scope) {
    Attributes byTanh = Attributes.NONE.with("approximate", new AttributeValue.Text("tanh"));
    return scope.node(old.as("Gelu", byTanh, sum(old, scope, old.input(0), old.input(1))));
  }

  /** {@code x * Sigmoid(alpha * x)}. */
  static List<NodeEntry> quickGelu(OldNode old, UpgradeScope scope) {
    NodeEntry x = old.input(0);
    NodeEntry scaled = scope.node(old, "Mul", Attributes.NONE, x, number(old, scope, "alpha", 1.702f));
    return scope.node(old.as("Mul", Attributes.NONE, x, scope.node(old, "Sigmoid", Attributes.NONE, scaled)));
  }

  /** A number of an attribute, of the first input's element type. */
  private static NodeEntry number(OldNode old, UpgradeScope scope, String attribute, float absent) {
    NodeEntry value = scope.single(old, attribute, old.attributes().getFloat(attribute, absent));
    return scope.node(old, "CastLike", Attributes.NONE, value, old.input(0));
  }

  private static NodeEntry sum(OldNode old, UpgradeScope scope, NodeEntry x, NodeEntry other) {
    return other.isAbsent() ? x : scope.node(old, "Add", Attributes.NONE, x, other);
  }

  /** {@code alpha * A * B}, with the last two axes of operands swapped. */
  static List<NodeEntry> matmul(OldNode old, UpgradeScope scope) {
    Attributes given = old.attributes();
    if (given.getFlag("transBatchA", false) || given.getFlag("transBatchB", false)) {
      throw new IllegalArgumentException("transposed axes of the batch are not supported");
    }
    NodeEntry a = given.getFlag("transA", false) ? swapped(old, scope, old.input(0)) : old.input(0);
    NodeEntry b = given.getFlag("transB", false) ? swapped(old, scope, old.input(1)) : old.input(1);
    if (given.getFloat("alpha", 1) == 1) {
      return scope.node(old.as("MatMul", Attributes.NONE, a, b));
    }
    NodeEntry product = scope.node(old, "MatMul", Attributes.NONE, a, b);
    return scope.node(old.as("Mul", Attributes.NONE, product, number(old, scope, "alpha", 1)));
  }

  /** The last two axes swapped, whatever the rank: as a batch of matrices. */
  private static NodeEntry swapped(OldNode old, UpgradeScope scope, NodeEntry x) {
    NodeEntry outer = scope.node(old, "Shape", Attributes.NONE.with("end", -2), x);
    NodeEntry rows = scope.node(old, "Shape", Attributes.NONE.with("start", -2).with("end", -1), x);
    NodeEntry columns = scope.node(old, "Shape", Attributes.NONE.with("start", -1), x);
    Attributes join = Attributes.NONE.with("axis", 0);
    NodeEntry flat = scope.node(old, "Concat", join, scope.longs(old, "batch", -1), rows, columns);
    NodeEntry turned = scope.node(old, "Transpose", Attributes.NONE.with("perm", AttributeValue.Ints.of(0, 2, 1)), scope
      .node(old, "Reshape", Attributes.NONE, x, flat));
    return scope.node(old, "Reshape", Attributes.NONE, turned, scope.node(old, "Concat", join, outer, columns, rows));
  }

  /** The norm of the sum of input, skip and bias; the fourth result is the sum. */
  static List<NodeEntry> skipLayerNormalization(OldNode old, UpgradeScope scope) {
    NodeEntry sum = sum(old, scope, sum(old, scope, old.input(0), old.input(1)), old.input(4));
    return withSum(old, scope.node(single(old, "LayerNormalization", epsilon(old, 1e-12f), sum, old.input(2), old.input(
      3))), sum);
  }

  static List<NodeEntry> skipSimplifiedLayerNormalization(OldNode old, UpgradeScope scope) {
    NodeEntry sum = sum(old, scope, sum(old, scope, old.input(0), old.input(1)), old.input(3));
    return withSum(old, scope.node(single(old, "RMSNormalization", epsilon(old, 1e-6f), sum, old.input(2))), sum);
  }

  /** In ONNX's own domain, though no version of it has the operator. */
  static List<NodeEntry> simplifiedLayerNormalization(OldNode old, UpgradeScope scope) {
    if (old.outputs() > 1) {
      throw new IllegalArgumentException("the deviation is not supported as a result");
    }
    Attributes attributes = old.attributes().without("stash_type");
    return scope.node(old.as("RMSNormalization", attributes, old.input(0), old.input(1)));
  }

  private static OldNode single(OldNode old, String operator, Attributes attributes, NodeEntry... inputs) {
    return new OldNode(old.name(), new OldNode.Operator("", operator, 0), attributes, List.of(inputs), 1);
  }

  private static Attributes epsilon(OldNode old, float absent) {
    return LAST.with("epsilon", new AttributeValue.Real(old.attributes().getFloat("epsilon", absent)));
  }

  private static List<NodeEntry> withSum(OldNode old, List<NodeEntry> norm, NodeEntry sum) {
    List<NodeEntry> results = new ArrayList<>(norm);
    while (results.size() < old.outputs()) {
      results.add(results.size() == 3 ? sum : Node.absent());
    }
    return results;
  }

  /** The norm of the sum of words', positions' and segments' rows; then the number of words that count, and the sum. */
  static List<NodeEntry> embedLayerNormalization(OldNode old, UpgradeScope scope) {
    NodeEntry ids = old.input(0);
    NodeEntry words = scope.node(old, "Gather", Attributes.NONE, old.input(2), ids);
    NodeEntry places = old.input(8);
    if (places.isAbsent()) {
      NodeEntry length = scope.node(old, "Squeeze", Attributes.NONE, scope.node(old, "Shape", Attributes.NONE.with(
        "start", 1).with("end", 2), ids));
      places = scope.node(old, "Range", Attributes.NONE, scope.whole(old, "first", 0), length, scope.whole(old, "step",
        1));
    }
    NodeEntry all = sum(old, scope, words, scope.node(old, "Gather", Attributes.NONE, old.input(3), places));
    if (!old.input(1).isAbsent()) {
      all = sum(old, scope, all, scope.node(old, "Gather", Attributes.NONE, old.input(4), old.input(1)));
    }
    NodeEntry counted = old.input(7).isAbsent()
      ? scope.node(old, "Sub", Attributes.NONE, ids, ids)
      : old.input(7);
    NodeEntry lengths = scope.node(old, "ReduceSum", Attributes.NONE.with("keepdims", 0), counted, scope.longs(old,
      "axes", 1));
    List<NodeEntry> results = new ArrayList<>(scope.node(single(old, "LayerNormalization", epsilon(old, 1e-12f), all,
      old.input(5), old.input(6))));
    results.addAll(List.of(lengths, all));
    return results.subList(0, Math.max(1, old.outputs()));
  }
}
