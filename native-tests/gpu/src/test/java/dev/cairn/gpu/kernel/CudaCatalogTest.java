package dev.cairn.gpu.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.attribute.ChannelsLast;
import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.catalog.family.StandardKernels;
import dev.cairn.kernels.tensor.DType;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** CUDA has a kernel for every operator and element type that the processor has one for, except those listed. */
class CudaCatalogTest {
  /** Operators that have no CUDA kernel yet. */
  private static final Set<String> ON_THE_PROCESSOR_ONLY = Set.of(
    "Acos", "Acosh", "AffineGrid", "Asin", "Asinh", "Atan", "Atanh",
    "Bernoulli",
    "BitCast", "BitShift", "BitwiseAnd", "BitwiseNot", "BitwiseOr", "BitwiseXor", "CastLike",
    "CausalConvWithState", "CenterCropPad", "Col2Im", "Compress",
    "Cosh", "CumProd", "DFT", "DeformConv", "DeformConvGradient", "Det", "DetGradient", "Einsum",
    "EyeLike", "GatherND", "GlobalLpPool", "GridSampleGradient", "Hardmax",
    // Convolutions on GPUs read plain images, so no graph there has it.
    ChannelsLast.operator("GroupNormalization"),
    "IsInf", "LinearAttention", "LpNormalization", "LpPool",
    "MatMulNBits", "MaxRoiPool", "MaxUnpool", "Mean", "MelWeightMatrix", "Mod",
    "Multinomial", "NonMaxSuppression", "NonZero", "OneHot", "PRelu",
    "QLinearAveragePool", "QLinearGlobalAveragePool", "QLinearSoftmax", "QuantizeLinear",
    "ReverseSequence", "RoiAlign", "RoiAlignGradient", "RotaryEmbedding", "ScatterElements",
    "Sinh", "Tan", "TensorScatter",
    "Unique",
    "LabelEncoder", "TfIdfVectorizer", "TreeEnsemble");

  @Test
  void nothingThatTheProcessorServesIsMissing() {
    KernelCatalog processor = StandardKernels.catalog();
    Map<String, Set<DType>> missing = new TreeMap<>();
    try (var twins = CudaTwins.open()) {
      for (String operator : processor.operators()) {
        Set<DType> lacking = EnumSet.noneOf(DType.class);
        lacking.addAll(processor.dtypes(operator));
        // Narrow types and strings are for the processor only.
        lacking.retainAll(DType.COMPUTED);
        lacking.removeAll(twins.catalog().dtypes(operator));
        if (!lacking.isEmpty()) {
          missing.put(operator, lacking);
        }
      }
    }
    assertThat(missing.keySet()).containsExactlyInAnyOrderElementsOf(ON_THE_PROCESSOR_ONLY);
  }
}
