package dev.cairn.runtime.operator.family;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.operator.MemoryTraits;
import dev.cairn.runtime.operator.OperatorDefinition;
import dev.cairn.runtime.operator.OperatorTable;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class StandardOperatorsTest {
  /** What Cairn promises to its users; {@code Constant} is a kind of node, not an operator. */
  private static final String PROMISED = """
    Identity Add Sub Mul Div Pow Sqrt Relu Sigmoid Tanh Erf Clip LeakyRelu HardSigmoid HardSwish Conv Gemm MatMul
    Attention
    BatchNormalization LayerNormalization InstanceNormalization MaxPool AveragePool GlobalAveragePool
    ReduceMean ReduceSum Softmax Reshape Transpose Flatten Squeeze Unsqueeze Concat Split Slice Gather Shape Cast Expand
    Where Equal ConstantOfShape Pad LRN Dropout Sum Neg Exp Log Abs Min Max Less Greater Range Tile Gelu
    Floor Ceil Reciprocal Sin Cos Not And Or LessOrEqual GreaterOrEqual
    ReduceMax ReduceMin ReduceProd GlobalMaxPool Size CumSum DepthToSpace SpaceToDepth GatherElements
    ScatterND Trilu
    Acos Acosh Asin Asinh Atan Atanh Cosh Sinh Tan Round Sign IsInf IsNaN Elu Selu Celu PRelu Softplus Softsign Mish
    Swish ThresholdedRelu Shrink Xor Mod Mean BitShift BitwiseAnd BitwiseOr BitwiseXor BitwiseNot BitCast CastLike
    ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceSumSquare ArgMax ArgMin CumProd
    LogSoftmax Hardmax LpNormalization GroupNormalization RMSNormalization RotaryEmbedding
    GatherND ScatterElements TensorScatter OneHot ReverseSequence EyeLike Einsum Det
    NonZero Compress Unique TopK NonMaxSuppression
    ConvTranspose Col2Im LpPool GlobalLpPool MaxUnpool Resize GridSample AffineGrid RoiAlign CenterCropPad
    QuantizeLinear DequantizeLinear DynamicQuantizeLinear MatMulInteger MatMulIntegerToFloat MatMulNBits QLinearMatMul
    ConvInteger QLinearConv
    LSTM GRU RNN
    CausalConvWithState LinearAttention
    DFT STFT MelWeightMatrix
    DeformConv MaxRoiPool RandomNormal RandomUniform RandomNormalLike RandomUniformLike Bernoulli Multinomial
    AttentionGradient BatchNormalizationGradient LayerNormalizationGradient ScatterAdd
    SoftmaxCrossEntropyLoss SoftmaxCrossEntropyLossGradient
    NegativeLogLikelihoodLoss NegativeLogLikelihoodLossGradient
    StringConcat StringNormalizer StringSplit RegexFullMatch TfIdfVectorizer LabelEncoder TreeEnsemble
    StopGradient ConvWeightGradient MaxPoolGradient AveragePoolGradient LrnGradient GridSampleGradient
    DetGradient DeformConvGradient RoiAlignGradient""";

  private static final List<String> CASES = List.of(ElementwiseFamilyTest.CASES, ReduceFamilyTest.CASES,
    MatmulFamilyTest.CASES, AttentionFamilyTest.CASES, ConvolutionFamilyTest.CASES, PoolingFamilyTest.CASES,
    NormalisationFamilyTest.CASES, LossFamilyTest.CASES, QuantisedFamilyTest.CASES,
    ConversionFamilyTest.CASES, SelectionFamilyTest.CASES, ImageFamilyTest.CASES,
    ShapeFamilyTest.CASES, MovementFamilyTest.CASES, IndexFamilyTest.CASES, GenerateFamilyTest.CASES,
    RecurrentFamilyTest.CASES, SignalFamilyTest.CASES, RandomFamilyTest.CASES, TextFamilyTest.CASES,
    EnsembleFamilyTest.CASES);

  @Test
  void theTableHoldsEveryPromisedOperatorAndNoOther() {
    assertThat(StandardOperators.table().names()).containsExactlyInAnyOrder(PROMISED.split("\\s+"));
  }

  @Test
  void everyRowHasACaseThatSucceedsAndOneThatFails() {
    assertThat(covered(true)).containsExactlyInAnyOrderElementsOf(StandardOperators.table().names());
    assertThat(covered(false)).containsExactlyInAnyOrderElementsOf(StandardOperators.table().names());
  }

  private static Set<String> covered(boolean success) {
    return CASES.stream().flatMap(TypeRuleCase::all).filter(it -> it.succeeds() == success).map(TypeRuleCase::operator)
      .collect(Collectors.toSet());
  }

  @Test
  void aliasesAreTheOperatorsThatOnlyChangeTheShape() {
    assertThat(rows().filter(row -> row.memory().alias()).map(OperatorDefinition::name)).containsExactlyInAnyOrder(
      "Dropout", "Flatten", "Identity", "Reshape", "Squeeze", "StopGradient", "Unsqueeze");
  }

  @Test
  void inPlacePairsAreWithinTheOperatorsInputs() {
    assertThat(rows()).allSatisfy(row -> assertThat(row.memory().inPlace()).allSatisfy(pair -> {
      assertThat(pair.input()).isBetween(0, row.maxInputs() - 1);
      assertThat(pair.output()).isBetween(0, 2);
    }));
  }

  @Test
  void comparisonsAreNotInPlaceBecauseAnOperandMayBeWiderThanTheResult() {
    for (String name : List.of("Equal", "Less", "LessOrEqual", "Greater", "GreaterOrEqual")) {
      assertThat(StandardOperators.table().get(name).memory()).isEqualTo(MemoryTraits.NONE.asElementwise());
    }
  }

  @Test
  void onlyTheElementwiseFamilyIsElementwiseAndWithoutInPlaceNone() {
    List<String> family = ElementwiseFamily.ROWS.stream().map(OperatorDefinition::name).sorted().toList();
    assertThat(rows().filter(row -> row.memory().elementwise()).map(OperatorDefinition::name)).isEqualTo(family)
      .contains("Add", "Clip", "Where").doesNotContain("Softmax", "MatMul", "Identity");
    OperatorTable without = StandardOperators.table().withoutInPlace();
    assertThat(without.names()).noneMatch(name -> without.get(name).memory().elementwise());
  }

  private static Stream<OperatorDefinition> rows() {
    return StandardOperators.table().names().stream().map(StandardOperators.table()::get);
  }
}
