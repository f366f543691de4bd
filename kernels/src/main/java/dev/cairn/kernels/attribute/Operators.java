package dev.cairn.kernels.attribute;

/**
 * Names of operators that more than one class reads outside of rows, expressions and tables of other formats: passes
 * that look for patterns, nodes that Cairn makes, libraries that serve a few operators. An operator needs no constant
 * here.
 */
public final class Operators {
  public static final String ADD = "Add";
  public static final String ATTENTION = "Attention";
  public static final String ATTENTION_GRADIENT = "AttentionGradient";
  public static final String AVERAGE_POOL = "AveragePool";
  public static final String BATCH_NORMALIZATION = "BatchNormalization";
  public static final String CAST = "Cast";
  public static final String CAST_LIKE = "CastLike";
  public static final String CLIP = "Clip";
  public static final String CONCAT = "Concat";
  public static final String CONSTANT_OF_SHAPE = "ConstantOfShape";
  public static final String CONV = "Conv";
  public static final String CONV_TRANSPOSE = "ConvTranspose";
  public static final String CONV_WEIGHT_GRADIENT = "ConvWeightGradient";
  public static final String DEPTH_TO_SPACE = "DepthToSpace";
  public static final String DIV = "Div";
  public static final String DROPOUT = "Dropout";
  public static final String EXPAND = "Expand";
  public static final String EYE_LIKE = "EyeLike";
  public static final String GATHER = "Gather";
  public static final String GATHER_ELEMENTS = "GatherElements";
  public static final String GATHER_ND = "GatherND";
  public static final String GEMM = "Gemm";
  public static final String GROUP_NORMALIZATION = "GroupNormalization";
  public static final String IDENTITY = "Identity";
  public static final String MATMUL = "MatMul";
  public static final String MATMUL_INTEGER = "MatMulInteger";
  public static final String MAX_POOL = "MaxPool";
  public static final String MUL = "Mul";
  public static final String POW = "Pow";
  public static final String RELU = "Relu";
  public static final String RESHAPE = "Reshape";
  public static final String SCATTER_ADD = "ScatterAdd";
  public static final String SOFTMAX = "Softmax";
  public static final String SPACE_TO_DEPTH = "SpaceToDepth";
  public static final String SPLIT = "Split";
  public static final String STOP_GRADIENT = "StopGradient";
  public static final String SUB = "Sub";
  public static final String TRANSPOSE = "Transpose";
  public static final String UNSQUEEZE = "Unsqueeze";
  public static final String WHERE = "Where";

  private Operators() {}
}
