package dev.cairn.runtime.onnx.expand;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.runtime.expression.GraphExpression;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.onnx.upgrade.OldNode;
import dev.cairn.runtime.onnx.upgrade.Replacement;
import dev.cairn.runtime.onnx.upgrade.UpgradeScope;
import java.util.ArrayList;
import java.util.List;

/** Real-valued operators of domain com.microsoft, which ONNX Runtime's optimiser writes, with ONNX's own. */
final class MicrosoftExpansions {
  private MicrosoftExpansions() {}

  static List<NodeEntry> gelu(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    return made.last(made.input(0)).gelu().results();
  }

  static List<NodeEntry> biasGelu(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    return made.last(sum(made.input(0), made.input(1))).gelu().results();
  }

  static List<NodeEntry> fastGelu(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    return made.last(sum(made.input(0), made.input(1))).geluByTanh().results();
  }

  /** {@code x * Sigmoid(alpha * x)}. */
  static List<NodeEntry> quickGelu(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    GraphExpression x = made.input(0);
    return made.last(x).mul(x.mul(made.attribute("alpha", 1.702f)).sigmoid()).results();
  }

  private static GraphExpression sum(GraphExpression x, GraphExpression other) {
    return other.entry().isAbsent() ? x : x.add(other);
  }

  /** {@code alpha * A * B}, with the last two axes of operands swapped. */
  static List<NodeEntry> matmul(OldNode old, UpgradeScope scope) {
    Attributes given = old.attributes();
    if (given.getFlag("transBatchA", false) || given.getFlag("transBatchB", false)) {
      throw new IllegalArgumentException("transposed axes of the batch are not supported");
    }
    var made = new Replacement(old, scope);
    GraphExpression a = given.getFlag("transA", false) ? swapped(made, made.input(0)) : made.input(0);
    GraphExpression b = given.getFlag("transB", false) ? swapped(made, made.input(1)) : made.input(1);
    return given.getFloat("alpha", 1) == 1
      ? made.last(a).matmul(b).results()
      : made.last(a.matmul(b)).mul(made.attribute("alpha", 1)).results();
  }

  /** The last two axes swapped, whatever the rank: as a batch of matrices. */
  private static GraphExpression swapped(Replacement made, GraphExpression x) {
    GraphExpression outer = x.extents(Attributes.NONE.with("end", -2));
    GraphExpression rows = x.extents(Attributes.NONE.with("start", -2).with("end", -1));
    GraphExpression columns = x.extents(Attributes.NONE.with("start", -1));
    GraphExpression flat = made.longs("batch", -1).concat(0, List.of(rows, columns));
    GraphExpression turned = x.reshapeKeeping(flat).transpose(0, 2, 1);
    return turned.reshapeKeeping(outer.concat(0, List.of(columns, rows)));
  }

  /** The norm of the sum of input, skip and bias; the fourth result is the sum. */
  static List<NodeEntry> skipLayerNormalization(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    GraphExpression sum = sum(sum(made.input(0), made.input(1)), made.input(4));
    return withSum(old, normalized(made, sum, 2), sum);
  }

  /** Over the last axis, with a scale and a bias, which are inputs of the old node. */
  private static GraphExpression normalized(Replacement made, GraphExpression x, int scale) {
    return made.last(x, 1).layerNorm(-1, made.input(scale), made.input(scale + 1), made.old().attributes().getFloat(
      "epsilon", 1e-12f));
  }

  static List<NodeEntry> skipSimplifiedLayerNormalization(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    GraphExpression sum = sum(sum(made.input(0), made.input(1)), made.input(3));
    Attributes attributes = Attributes.NONE.with("axis", -1).with("epsilon", new AttributeValue.Real(old.attributes()
      .getFloat("epsilon", 1e-6f)));
    return withSum(old, made.last(sum, 1).rmsNorm(attributes, made.input(2)), sum);
  }

  /** In ONNX's own domain, though no version of it has the operator. */
  static List<NodeEntry> simplifiedLayerNormalization(OldNode old, UpgradeScope scope) {
    if (old.outputs() > 1) {
      throw new IllegalArgumentException("the deviation is not supported as a result");
    }
    var made = new Replacement(old, scope);
    return made.last(made.input(0)).rmsNorm(old.attributes().without("stash_type"), made.input(1)).results();
  }

  private static List<NodeEntry> withSum(OldNode old, GraphExpression norm, GraphExpression sum) {
    List<NodeEntry> results = new ArrayList<>(norm.results());
    while (results.size() < old.outputs()) {
      results.add(results.size() == 3 ? sum.entry() : Node.absent());
    }
    return results;
  }

  /** The norm of the sum of words', positions' and segments' rows; then the number of words that count, and the sum. */
  static List<NodeEntry> embedLayerNormalization(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    GraphExpression ids = made.input(0);
    GraphExpression words = made.input(2).take(ids);
    GraphExpression places = made.input(8);
    if (!made.hasInput(8)) {
      GraphExpression length = ids.extent(1).squeeze();
      places = made.whole("first", 0).rangeTo(length, made.whole("step", 1));
    }
    GraphExpression all = sum(words, made.input(3).take(places));
    if (made.hasInput(1)) {
      all = sum(all, made.input(4).take(made.input(1)));
    }
    GraphExpression counted = made.hasInput(7) ? made.input(7) : ids.sub(ids);
    GraphExpression lengths = counted.sum(made.longs("axes", 1));
    List<NodeEntry> results = new ArrayList<>(normalized(made, all, 5).results());
    results.addAll(List.of(lengths.entry(), all.entry()));
    return results.subList(0, Math.max(1, old.outputs()));
  }
}
