package dev.cairn.runtime.onnx.expand;

import static java.util.Map.entry;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.onnx.upgrade.OldNode;
import dev.cairn.runtime.onnx.upgrade.Upgrade;
import dev.cairn.runtime.onnx.upgrade.UpgradeScope;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Operators that graphs do not have, or not in every form, and what is written instead. */
public final class OperatorExpansions {
  private record Row(int mostInputs, Upgrade expansion) {}

  private static final String TRAINING = "ai.onnx.preview.training::";
  private static final String CLASSIC = "ai.onnx.ml::";
  private static final Map<String, Row> ROWS = Map.ofEntries(
    entry(TRAINING + "Adagrad", new Row(Integer.MAX_VALUE, new OptimizerExpansion(1, OptimizerExpansion::adagrad))),
    entry(TRAINING + "Adam", new Row(Integer.MAX_VALUE, new OptimizerExpansion(2, OptimizerExpansion::adam))),
    entry(TRAINING + "Momentum", new Row(Integer.MAX_VALUE, new OptimizerExpansion(1, OptimizerExpansion::momentum))),
    entry(CLASSIC + "ArrayFeatureExtractor", new Row(2, OperatorExpansions::features)),
    entry(CLASSIC + "Binarizer", new Row(1, OperatorExpansions::binarized)),
    entry("BlackmanWindow", new Row(1, new WindowExpansion(0.42f, 0.5f, 0.08f))),
    entry("Einsum", new Row(Integer.MAX_VALUE, new EinsumExpansion())),
    entry("HammingWindow", new Row(1, new WindowExpansion(25 / 46f, 21 / 46f, 0))),
    entry("HannWindow", new Row(1, new WindowExpansion(0.5f, 0.5f, 0))),
    entry("MeanVarianceNormalization", new Row(1, new MeanVarianceExpansion())),
    entry("NegativeLogLikelihoodLoss", new Row(3, new LikelihoodExpansion())),
    entry("Scatter", new Row(3, (old, scope) -> scope.node(old.as("ScatterElements", old.attributes(), old.input(0), old
      .input(1), old.input(2))))),
    entry("SoftmaxCrossEntropyLoss", new Row(3, new CrossEntropyExpansion())),
    entry("Upsample", new Row(2, OperatorExpansions::upsample)));

  private OperatorExpansions() {}

  /**
   * How many inputs the operator has; empty where it is none of these.
   *
   * @param operator its name, after its domain where that is not ONNX's own
   */
  public static OptionalInt mostInputs(String operator) {
    return Optional.ofNullable(ROWS.get(operator)).map(row -> OptionalInt.of(row.mostInputs))
      .orElse(OptionalInt.empty());
  }

  /** The results of a node, from nodes of other operators; empty where it need not be expanded. */
  public static Optional<List<NodeEntry>> apply(OldNode old, UpgradeScope scope) {
    return Optional.ofNullable(ROWS.get(old.operator().qualifiedName())).map(row -> row.expansion.apply(old, scope));
  }

  /** Some columns of the last axis. */
  private static List<NodeEntry> features(OldNode old, UpgradeScope scope) {
    NodeEntry columns = scope.node(old, "Reshape", Attributes.NONE, old.input(1), scope.longs(old, "all", -1));
    return scope.node(old.as("Gather", Attributes.NONE.with("axis", -1), old.input(0), columns));
  }

  /** 1 for elements above the threshold, else 0, of the element type of x. */
  private static List<NodeEntry> binarized(OldNode old, UpgradeScope scope) {
    NodeEntry given = scope.single(old, "threshold", old.attributes().getFloat("threshold", 0));
    NodeEntry threshold = scope.node(old, "CastLike", Attributes.NONE, given, old.input(0));
    NodeEntry above = scope.node(old, "Greater", Attributes.NONE, old.input(0), threshold);
    return scope.node(old.as("CastLike", Attributes.NONE, above, old.input(0)));
  }

  /** A resize whose positions are divided by the scales, which were an attribute before opset 9. */
  private static List<NodeEntry> upsample(OldNode old, UpgradeScope scope) {
    NodeEntry scales = old.attributes().find("scales").orElse(null) instanceof AttributeValue.Reals(var values)
      ? scope.singles(old, "scales", values)
      : old.input(1);
    Attributes attributes = Attributes.NONE.with("mode", new AttributeValue.Text(old.attributes().getText("mode",
      "nearest"))).with("nearest_mode", new AttributeValue.Text("floor"))
      .with("coordinate_transformation_mode", new AttributeValue.Text("asymmetric"));
    return scope.node(old.as("Resize", attributes, old.input(0), Node.absent(), scales));
  }
}
