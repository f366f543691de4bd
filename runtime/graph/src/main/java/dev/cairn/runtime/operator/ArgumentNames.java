package dev.cairn.runtime.operator;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What ONNX calls the operands of each operator, beside the rows of the operators. An operator without a line here has
 * one operand, {@code X}.
 */
public final class ArgumentNames {
  /** The operands, an arrow, and the operators that have them. */
  private static final String TABLE = """
    input <- Acos Acosh Asin Asinh Atan Atanh Bernoulli BitCast Cast ConstantOfShape Cos Cosh DepthToSpace Erf Exp
    input <- EyeLike Flatten Hardmax Identity Log LogSoftmax LpNormalization Multinomial RandomNormalLike
    input <- RandomUniformLike Shrink Sign Sin Sinh Softmax Softsign SpaceToDepth StopGradient Tan Tanh
    A B <- Add And BitwiseAnd BitwiseOr BitwiseXor Div Equal Greater GreaterOrEqual Less LessOrEqual MatMul Mod Mul Or
    A B <- Sub Xor
    theta size <- AffineGrid
    data <- ArgMax ArgMin Concat Einsum Max Mean Min Shape Size Sum Transpose
    Q K V attn_mask past_key past_value nonpad_kv_seqlen <- Attention
    head Q K V attn_mask <- AttentionGradient
    X scale B input_mean input_var <- BatchNormalization
    head X scale mean inverse <- BatchNormalizationGradient LayerNormalizationGradient
    X Y <- BitShift Pow StringConcat
    input target_type <- CastLike
    input weight bias past_state <- CausalConvWithState
    input_data shape <- CenterCropPad
    input min max <- Clip
    input image_shape block_shape <- Col2Im
    input condition <- Compress
    X W B <- Conv ConvTranspose
    X dY <- ConvWeightGradient LrnGradient
    X Y dY <- MaxPoolGradient
    dY <- AveragePoolGradient
    x w x_zero_point w_zero_point <- ConvInteger
    x axis <- CumProd CumSum
    input dft_length axis <- DFT
    X W offset B mask <- DeformConv
    x x_scale x_zero_point <- DequantizeLinear
    data ratio training_mode random <- Dropout
    x <- DynamicQuantizeLinear
    input shape <- Expand
    X W R B sequence_lens initial_h <- GRU RNN
    data indices <- Gather GatherElements GatherND
    A B C <- Gemm
    X grid <- GridSample
    head X grid <- GridSampleGradient
    head X rois batch_indices <- RoiAlignGradient
    head X W offset mask <- DeformConvGradient
    X head <- DetGradient
    X scale bias <- GroupNormalization
    input scale B <- InstanceNormalization
    X W R B sequence_lens initial_h initial_c P <- LSTM
    X Scale B <- LayerNormalization
    query key value past_state decay beta <- LinearAttention
    A B a_zero_point b_zero_point <- MatMulInteger
    A B a_scale b_scale a_zero_point b_zero_point bias <- MatMulIntegerToFloat
    A B scales zero_points g_idx bias <- MatMulNBits
    X rois <- MaxRoiPool
    X I output_shape <- MaxUnpool
    num_mel_bins dft_length sample_rate lower_edge_hertz upper_edge_hertz <- MelWeightMatrix
    input target weight <- NegativeLogLikelihoodLoss
    head target weight <- NegativeLogLikelihoodLossGradient
    boxes scores max_output_boxes_per_class iou_threshold score_threshold <- NonMaxSuppression
    indices depth values <- OneHot
    X slope <- PRelu
    data pads constant_value axes <- Pad
    x x_scale x_zero_point w w_scale w_zero_point y_scale y_zero_point B <- QLinearConv
    a a_scale a_zero_point b b_scale b_zero_point y_scale y_zero_point <- QLinearMatMul
    x y_scale y_zero_point <- QuantizeLinear
    X scale <- RMSNormalization
    start limit delta <- Range
    data axes <- ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum
    data axes <- ReduceSumSquare Squeeze Unsqueeze
    data shape <- Reshape
    X roi scales sizes <- Resize
    input sequence_lens <- ReverseSequence
    X rois batch_indices <- RoiAlign
    X cos_cache sin_cache position_ids <- RotaryEmbedding
    signal frame_step window frame_length <- STFT
    head indices <- ScatterAdd
    data indices updates <- ScatterElements ScatterND
    scores labels weights <- SoftmaxCrossEntropyLoss
    head scores labels weights <- SoftmaxCrossEntropyLossGradient
    data starts ends axes steps <- Slice
    input split <- Split
    past_cache update write_indices <- TensorScatter
    input repeats <- Tile
    X K <- TopK
    input k <- Trilu
    condition X Y <- Where
    """;

  private static final Map<String, List<String>> BY_OPERATOR = new HashMap<>();
  private static final List<String> SINGLE = List.of("X");

  /** Operands that a training step of the operator replaces: running statistics. */
  private static final Map<String, List<Integer>> STATES = Map.of("BatchNormalization", List.of(3, 4));

  static {
    TABLE.lines().forEach(line -> {
      String[] sides = line.split(" <- ", 2);
      for (String operator : sides[1].split(" ", -1)) {
        BY_OPERATOR.put(operator, List.of(sides[0].split(" ", -1)));
      }
    });
  }

  private ArgumentNames() {}

  /**
   * The names of an operator's operands, in order; of an operator with any number of operands, the name of each with
   * its index. Operands without a name are {@code arg0}, {@code arg1}, ...
   */
  public static String of(String operator, int operand) {
    List<String> names = of(operator);
    if (names.equals(List.of("data")) && operand > 0) {
      return "data" + operand;
    }
    return operand < names.size() ? names.get(operand) : "arg" + operand;
  }

  /** The index of the operand of this name, or -1. */
  public static int indexOf(String operator, String name) {
    return of(operator).indexOf(name);
  }

  /** All names of an operator's operands; empty for an operator of another domain. */
  public static List<String> of(String operator) {
    return BY_OPERATOR.getOrDefault(operator, operator.indexOf(':') < 0 ? SINGLE : List.of());
  }

  /** Whether the operator keeps a state in this operand, such as running statistics. */
  public static boolean isState(String operator, int operand) {
    return STATES.getOrDefault(operator, List.of()).contains(operand);
  }
}
