package dev.cairn.runtime.onnx.expand;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.runtime.expression.GraphExpression;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.onnx.upgrade.OldNode;
import dev.cairn.runtime.onnx.upgrade.Replacement;
import dev.cairn.runtime.onnx.upgrade.Upgrade;
import dev.cairn.runtime.onnx.upgrade.UpgradeScope;
import dev.cairn.runtime.operator.OnnxFacts;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Operators that graphs do not have, or not in every form, and what is written instead. */
public final class OperatorExpansions {
  /** @param operator its name, after its domain where that is not ONNX's own */
  private record Row(String operator, int mostInputs, Upgrade expansion) {}

  private static final String TRAINING = "ai.onnx.preview.training::";
  private static final String CLASSIC = "ai.onnx.ml::";
  private static final Map<String, Row> ROWS = Stream.of(ofOnnx(), ofOtherDomainsOfOnnx(), ofMicrosoft())
    .flatMap(Function.identity()).collect(Collectors.toMap(
      Row::operator, Function.identity()));

  private static Stream<Row> ofOnnx() {
    return Stream.of(new Row("Affine", 1, EarlyExpansions::affine),
      new Row("Crop", 1, EarlyExpansions::crop),
      new Row("DynamicSlice", 4, MicrosoftExpansions.as("Slice")),
      new Row("ImageScaler", 1, EarlyExpansions::imageScaler),
      new Row("MemcpyFromHost", 1, MicrosoftExpansions.as("Identity")),
      new Row("MemcpyToHost", 1, MicrosoftExpansions.as("Identity")),
      new Row("ParametricSoftplus", 1, EarlyExpansions::softplus),
      new Row("Scale", 1, EarlyExpansions::scale),
      new Row("ScaledTanh", 1, EarlyExpansions::scaledTanh),
      new Row("BlackmanWindow", 1, new WindowExpansion(0.42f, 0.5f, 0.08f)),
      new Row("HammingWindow", 1, new WindowExpansion(25 / 46f, 21 / 46f, 0)),
      new Row("HannWindow", 1, new WindowExpansion(0.5f, 0.5f, 0)),
      new Row("MeanVarianceNormalization", 1, new MeanVarianceExpansion()),
      new Row("Scatter", 3, (old, scope) -> scope.node(old.as("ScatterElements", old.attributes(), old.input(0), old
        .input(1), old.input(2)))),
      new Row("SimplifiedLayerNormalization", 2, MicrosoftExpansions::simplifiedLayerNormalization),
      new Row("Upsample", 2, OperatorExpansions::upsample));
  }

  private static Stream<Row> ofOtherDomainsOfOnnx() {
    return Stream.of(
      new Row(TRAINING + "Adagrad", Integer.MAX_VALUE, new OptimizerExpansion(1, OptimizerExpansion::adagrad)),
      new Row(TRAINING + "Adam", Integer.MAX_VALUE, new OptimizerExpansion(2, OptimizerExpansion::adam)),
      new Row(TRAINING + "Momentum", Integer.MAX_VALUE, new OptimizerExpansion(1, OptimizerExpansion::momentum)),
      new Row(CLASSIC + "ArrayFeatureExtractor", 2, OperatorExpansions::features),
      new Row(CLASSIC + "Binarizer", 1, ClassicExpansions::binarizer),
      new Row(CLASSIC + "Imputer", 1, ClassicExpansions::imputer),
      new Row(CLASSIC + "LinearClassifier", 1, ClassicExpansions::linearClassifier),
      new Row(CLASSIC + "LinearRegressor", 1, ClassicExpansions::linearRegressor),
      new Row(CLASSIC + "Normalizer", 1, ClassicExpansions::normalizer),
      new Row(CLASSIC + "Scaler", 1, ClassicExpansions::scaler),
      new Row(CLASSIC + "SVMClassifier", 1, (old, scope) -> ClassicExpansions.numbered(old, scope,
        "classlabels_ints")),
      new Row(CLASSIC + "TreeEnsembleClassifier", 1, (old, scope) -> ClassicExpansions.numbered(old, scope,
        "classlabels_int64s")));
  }

  private static Stream<Row> ofMicrosoft() {
    return Stream.of(new Row("Attention", 7, MicrosoftAttention::attention),
      new Row("GroupQueryAttention", 16, MicrosoftAttention::grouped),
      new Row("MultiHeadAttention", 10, MicrosoftAttention::multiHead),
      new Row("QAttention", 9, MicrosoftAttention::quantized),
      new Row("RotaryEmbedding", 4, MicrosoftAttention::rotary),
      new Row("BiasGelu", 2, MicrosoftExpansions::biasGelu),
      new Row("DequantizeLinear", 3, (old, scope) -> scope.node(old.as("DequantizeLinear", old.attributes(), old.input(
        0), old.input(1), old.input(2)))),
      new Row("DynamicQuantizeMatMul", 5, MicrosoftQuantized::dynamicProduct),
      new Row("EmbedLayerNormalization", 9, MicrosoftExpansions::embedLayerNormalization),
      new Row("FastGelu", 2, MicrosoftExpansions::fastGelu),
      new Row("CausalConvWithState", 4, MicrosoftExpansions::causalConvolution),
      new Row("CDist", 2, MicrosoftExpansions::distances),
      new Row("LinearAttention", 6, MicrosoftExpansions::linearAttention),
      new Row("DynamicQuantizeLSTM", 12, MicrosoftQuantized::recurrent),
      new Row("ExpandDims", 2, MicrosoftExpansions::expandDims),
      new Row("FusedConv", 4, MicrosoftExpansions::convolution),
      new Row("FusedGemm", 3, MicrosoftExpansions::gemm),
      new Row("FusedMatMul", 2, MicrosoftExpansions::matmul),
      new Row("GatherND", 2, MicrosoftExpansions.as("GatherND")),
      new Row("GridSample", 2, MicrosoftExpansions::gridSample),
      new Row("MatMulInteger16", 2, MicrosoftExpansions::wholeProduct),
      new Row("NhwcMaxPool", 1, MicrosoftExpansions::poolOfChannelsLast),
      new Row("Pad", 3, MicrosoftExpansions.as("Pad")),
      new Row("QLinearAveragePool", 5, MicrosoftQuantized.ofImages(GraphExpression::avgPool)),
      new Row("QLinearConv", 9, MicrosoftQuantized::convolution),
      new Row("QLinearSoftmax", 5, MicrosoftQuantized::softmax),
      new Row("QLinearWhere", 9, MicrosoftQuantized::where),
      new Row("Range", 3, MicrosoftExpansions::range),
      new Row("SampleOp", 1, MicrosoftExpansions.as("Identity")),
      new Row("TransposeMatMul", 2, MicrosoftExpansions::matmul),
      new Row("Trilu", 2, MicrosoftExpansions.as("Trilu")),
      new Row("ConvTransposeWithDynamicPads", 4, MicrosoftExpansions::transposedConvolution),
      new Row("DecoderMaskedMultiHeadAttention", 11, MicrosoftAttention::oneStep),
      new Row("EngramGate", 9, MicrosoftGates::ofEngram),
      new Row("GatedAdd", 3, MicrosoftGates::add),
      new Row("GatedRMSNorm", 3, MicrosoftGates::norm),
      new Row("LinearAttentionGate", 4, MicrosoftGates::ofLinearAttention),
      new Row("MatMulBnb4", 3, FourBitWeights::ofTable),
      new Row("MatMulFpQ4", 3, FourBitWeights::ofBlocks),
      new Row("MRotaryEmbedding", 4, MicrosoftAttention::rotaryOfThree),
      new Row("NGramHashMapping", 7, MicrosoftTokens::hashes),
      new Row("NGramRepeatBlock", 2, MicrosoftTokens::withoutRepeats),
      new Row("SparseToDenseMatMul", 2, MicrosoftExpansions::matmul),
      new Row("UnfoldTensor", 1, MicrosoftExpansions::unfolded),
      new Row("WordConvEmbedding", 4, MicrosoftTokens::ofLetters),
      new Row("Unique", 1, MicrosoftExpansions::unique),
      new Row("Gelu", 1, MicrosoftExpansions::gelu),
      new Row("GatherBlockQuantized", 4, BlockedGatherExpansion::apply),
      new Row("QEmbedLayerNormalization", 18, MicrosoftExpansions::quantizedEmbedLayerNormalization),
      new Row("QGemm", 9, MicrosoftQuantized::gemm),
      new Row("QLinearAdd", 8, MicrosoftQuantized.binary(GraphExpression::add)),
      new Row("QLinearConcat", Integer.MAX_VALUE, MicrosoftQuantized::concat),
      new Row("QLinearGlobalAveragePool", 5, MicrosoftQuantized.ofImages((x, _) -> x.globalAvgPool())),
      new Row("QLinearLeakyRelu", 5,
        MicrosoftQuantized.unary((x, given) -> x.leakyRelu(given.without("channels_last")))),
      new Row("QLinearMul", 8, MicrosoftQuantized.binary(GraphExpression::mul)),
      new Row("QLinearSigmoid", 5, MicrosoftQuantized.unary((x, _) -> x.sigmoid())),
      new Row("QuantizeLinear", 3, (old, scope) -> scope.node(old.as("QuantizeLinear", old.attributes(), old.input(0),
        old.input(1), old.input(2)))),
      new Row("QuickGelu", 1, MicrosoftExpansions::quickGelu),
      new Row("SkipLayerNormalization", 5, MicrosoftExpansions::skipLayerNormalization),
      new Row("SkipSimplifiedLayerNormalization", 4, MicrosoftExpansions::skipSimplifiedLayerNormalization)).map(
        row -> new Row(OnnxFacts.MICROSOFT + "::" + row.operator, row.mostInputs, row.expansion));
  }

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

  /** Some columns of the last axis. One axis alone counts as a row: the result has two. */
  private static List<NodeEntry> features(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    GraphExpression columns = made.input(1).reshapeKeeping(made.longs("all", -1));
    // Of a shape [n], the rows before the last axis are [1]; of [m, n] they are [m].
    GraphExpression x = made.input(0);
    GraphExpression rows = x.extents(Attributes.NONE.with("end", -1));
    GraphExpression rank = rows.extents(Attributes.NONE);
    GraphExpression one = made.longs("one", 1).callAll("Slice", Attributes.NONE, 1, List.of(rank, made.longs("end", 1)))
      .getFirst();
    GraphExpression shape = one.concat(0, List.of(rows, made.longs("columns", -1)));
    return made.last(x.reshape(shape)).take(columns, -1).results();
  }

  /**
   * A resize whose positions are divided by the scales, which were an attribute before opset 9, and one for each axis
   * of an image before opset 7.
   */
  private static List<NodeEntry> upsample(OldNode old, UpgradeScope scope) {
    Attributes given = old.attributes();
    NodeEntry scales = given.has("scales")
      ? scope.singles(old, "scales", given.getFloats("scales"))
      : given.has("height_scale")
        ? scope.singles(old, "scales", List.of(1f, 1f, given.getFloat("height_scale", 1), given.getFloat("width_scale",
          1)))
        : old.input(1);
    String mode = given.getText("mode", "nearest");
    Attributes attributes = Attributes.NONE.with("mode", new AttributeValue.Text(mode.equals("bilinear")
      ? "linear"
      : mode)).with("nearest_mode", new AttributeValue.Text("floor"))
      .with("coordinate_transformation_mode", new AttributeValue.Text("asymmetric"));
    return scope.node(old.as("Resize", attributes, old.input(0), Node.absent(), scales));
  }
}
