package dev.cairn.runtime.onnx.upgrade;

import dev.cairn.runtime.graph.NodeEntry;
import java.util.List;

/**
 * The changes of operators' forms up to opset 22; what is not listed only gained element types.
 * From the change logs of the ONNX standard (https://onnx.ai/onnx/operators).
 */
public final class OpsetUpgrades {
  /** For every opset: where the graph's form is not the file's in any of them. */
  private static final long ALL = Long.MAX_VALUE;

  private record Row(String operator, long below, Upgrade upgrade) {}

  private static final List<Row> ROWS = List.of(
    row("BatchNormalization", ALL, new BatchNormalizationUpgrade()),
    row("Bernoulli", ALL, new SeedUpgrade()),
    row("BitCast", ALL, new ElementTypeUpgrade()),
    row("Cast", ALL, new ElementTypeUpgrade()),
    row("Clip", 11, new ClipUpgrade()),
    row("DequantizeLinear", ALL, new ElementTypeUpgrade()),
    row("DFT", 20, new TransformUpgrade()),
    row("Dropout", ALL, new DropoutUpgrade()),
    row("EyeLike", ALL, new ElementTypeUpgrade()),
    row("GroupNormalization", 21, new GroupNormalizationUpgrade()),
    row("Hardmax", 13, new SoftmaxUpgrade()),
    row("LogSoftmax", 13, new SoftmaxUpgrade()),
    row("MelWeightMatrix", ALL, new ElementTypeUpgrade()),
    row("Multinomial", ALL, new SeedUpgrade()),
    row("Pad", 11, new PadUpgrade()),
    row("QuantizeLinear", ALL, new ElementTypeUpgrade()),
    row("RandomNormal", ALL, new SeedUpgrade()),
    row("RandomNormalLike", ALL, new SeedUpgrade()),
    row("RandomUniform", ALL, new SeedUpgrade()),
    row("RandomUniformLike", ALL, new SeedUpgrade()),
    row("ReduceL1", 18, new AxesUpgrade()),
    row("ReduceL2", 18, new AxesUpgrade()),
    row("ReduceLogSum", 18, new AxesUpgrade()),
    row("ReduceLogSumExp", 18, new AxesUpgrade()),
    row("ReduceMax", 18, new AxesUpgrade()),
    row("ReduceMean", 18, new AxesUpgrade()),
    row("ReduceMin", 18, new AxesUpgrade()),
    row("ReduceProd", 18, new AxesUpgrade()),
    row("ReduceSum", 13, new AxesUpgrade()),
    row("ReduceSumSquare", 18, new AxesUpgrade()),
    row("Resize", 11, new ResizeUpgrade()),
    row("RoiAlign", 16, new RegionUpgrade()),
    row("SequenceEmpty", ALL, new ElementTypeUpgrade()),
    row("Slice", 10, new SliceUpgrade()),
    row("Softmax", 13, new SoftmaxUpgrade()),
    row("Split", 18, new SplitUpgrade()),
    row("Squeeze", 13, new AxesUpgrade()),
    row("TopK", 10, new TopKUpgrade()),
    row("Unsqueeze", 13, new AxesUpgrade()));

  private OpsetUpgrades() {}

  private static Row row(String operator, long below, Upgrade upgrade) {
    return new Row(operator, below, upgrade);
  }

  /** The results of an old node, from nodes in the form of opset 22. */
  public static List<NodeEntry> apply(OldNode old, UpgradeScope scope) {
    for (Row row : ROWS) {
      if (row.operator.equals(old.operator().qualifiedName()) && old.operator().opset() < row.below) {
        return row.upgrade.apply(old, scope);
      }
    }
    return scope.node(old);
  }
}
