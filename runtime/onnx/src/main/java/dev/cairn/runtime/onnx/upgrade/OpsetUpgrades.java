package dev.cairn.runtime.onnx.upgrade;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.runtime.graph.NodeEntry;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The changes of operators' forms from opset 1 up to opset 22; what is not listed only gained element types.
 * From the change logs of the ONNX standard (https://onnx.ai/onnx/operators).
 */
public final class OpsetUpgrades {
  /** For every opset: where the graph's form is not the file's in any of them. */
  private static final long ALL = Long.MAX_VALUE;

  /** A hint to early implementations, of many operators before opset 6, which tells nothing about the results. */
  private static final String CONSUMED = "consumed_inputs";

  /** @param mostInputs of the old form; 0 where it has no more than the current one */
  private record Row(String operator, long below, int mostInputs, Upgrade upgrade) {}

  private static final List<Row> ROWS = List.of(
    row("Add", 7, new BroadcastUpgrade()),
    row("And", 7, new BroadcastUpgrade()),
    row("BatchNormalization", ALL, new BatchNormalizationUpgrade()),
    row("Bernoulli", ALL, new SeedUpgrade()),
    row("BitCast", ALL, new ElementTypeUpgrade()),
    row("Cast", ALL, new ElementTypeUpgrade()),
    row("Clip", 11, new ClipUpgrade()),
    row("Concat", 4, defaults(Map.of("axis", new AttributeValue.Int(1)))),
    row("DequantizeLinear", ALL, new ElementTypeUpgrade()),
    row("DFT", 20, new TransformUpgrade()),
    row("Div", 7, new BroadcastUpgrade()),
    row("Dropout", ALL, new DropoutUpgrade()),
    row("Equal", 7, new BroadcastUpgrade()),
    row("EyeLike", ALL, new ElementTypeUpgrade()),
    row("GRU", 7, without("output_sequence")),
    row("Gemm", 7, without("broadcast")),
    row("GlobalLpPool", 2, new PoolPowerUpgrade(true)),
    row("Greater", 7, new BroadcastUpgrade()),
    row("GroupNormalization", 21, new GroupNormalizationUpgrade()),
    row("Hardmax", 13, new SoftmaxUpgrade()),
    row("LSTM", 7, without("output_sequence")),
    row("Less", 7, new BroadcastUpgrade()),
    row("LogSoftmax", 13, new SoftmaxUpgrade()),
    row("LpPool", 2, new PoolPowerUpgrade(false)),
    row("MelWeightMatrix", ALL, new ElementTypeUpgrade()),
    row("Mul", 7, new BroadcastUpgrade()),
    row("Multinomial", ALL, new SeedUpgrade()),
    row("Or", 7, new BroadcastUpgrade()),
    row("PRelu", 7, BroadcastUpgrade::ofChannels),
    row("Pad", 11, new PadUpgrade()),
    row("Pow", 7, new BroadcastUpgrade()),
    row("QuantizeLinear", ALL, new ElementTypeUpgrade()),
    row("RNN", 7, without("output_sequence")),
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
    row("Reshape", 5, new ReshapeUpgrade()),
    row("Resize", 11, new ResizeUpgrade()),
    row("RoiAlign", 16, new RegionUpgrade()),
    row("Selu", 6, defaults(Map.of("alpha", new AttributeValue.Real(1.6732f), "gamma", new AttributeValue.Real(
      1.0507f)))),
    row("SequenceEmpty", ALL, new ElementTypeUpgrade()),
    row("Slice", 10, new SliceUpgrade()),
    row("Softmax", 13, new SoftmaxUpgrade()),
    row("Split", 18, new SplitUpgrade()),
    row("Squeeze", 13, new AxesUpgrade()),
    row("Sub", 7, new BroadcastUpgrade()),
    new Row("Tile", 6, 3, new TileUpgrade()),
    row("TopK", 10, new TopKUpgrade()),
    row("Unsqueeze", 13, new AxesUpgrade()),
    row("Xor", 7, new BroadcastUpgrade()));

  private OpsetUpgrades() {}

  private static Row row(String operator, long below, Upgrade upgrade) {
    return new Row(operator, below, 0, upgrade);
  }

  private static Optional<Row> find(OldNode.Operator operator) {
    return ROWS.stream().filter(it -> it.operator.equals(operator.qualifiedName()) && operator.opset() < it.below)
      .findFirst();
  }

  /** How many inputs an operator's old form may have, if that is more than the graph's form has; otherwise 0. */
  public static int mostInputs(OldNode.Operator operator) {
    return find(operator).map(Row::mostInputs).orElse(0);
  }

  /** An attribute went that told nothing, or nothing but what shapes tell. */
  private static Upgrade without(String attribute) {
    return (old, scope) -> scope.node(old.withAttributes(old.attributes().without(attribute)));
  }

  /** Attributes had other defaults, or became required. */
  private static Upgrade defaults(Map<String, AttributeValue> values) {
    return (old, scope) -> {
      Attributes all = old.attributes();
      for (var value : values.entrySet()) {
        all = all.has(value.getKey()) ? all : all.with(value.getKey(), value.getValue());
      }
      return scope.node(old.withAttributes(all));
    };
  }

  /** The results of an old node, from nodes in the form of opset 22. */
  public static List<NodeEntry> apply(OldNode written, UpgradeScope scope) {
    OldNode old = written.operator().domain().isEmpty()
      ? written.withAttributes(written.attributes().without(CONSUMED))
      : written;
    return find(old.operator()).map(row -> row.upgrade.apply(old, scope)).orElseGet(() -> scope.node(old));
  }
}
