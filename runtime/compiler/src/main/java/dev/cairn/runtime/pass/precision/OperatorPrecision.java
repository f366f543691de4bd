package dev.cairn.runtime.pass.precision;

import java.util.Set;

/**
 * In which type an operator is computed when a model is to run in 16 bits: the rules that PyTorch's automatic mixed
 * precision made common. Products always are in 16 bits, with sums in 32. Operators that can leave the range of
 * {@code float16}, or lose what they are made for, never are; what is not named here is among them.
 */
enum OperatorPrecision {
  /** In 16 bits. */
  HALF,
  /** In 16 bits, unless an input was computed in 32 on purpose. */
  FOLLOWS,
  /** In 32 bits. */
  FLOAT;

  private static final Set<String> PRODUCTS = Set.of("Attention", "Conv", "Gemm", "MatMul");

  /** Normalisations and softmax sum in 32 bits whatever the type of their elements. */
  private static final Set<String> FOLLOWERS = Set.of("Abs", "Add", "AveragePool", "BatchNormalization", "Clip",
    "Concat", "DepthToSpace", "Div", "Erf", "Expand", "Flatten", "Gather", "GatherElements", "Gelu",
    "GlobalAveragePool", "GlobalMaxPool", "GroupNormalization", "HardSigmoid", "HardSwish", "Identity",
    "InstanceNormalization", "LayerNormalization", "LeakyRelu", "LogSoftmax", "Max", "MaxPool", "Min", "Mul", "Neg",
    "Pad", "RMSNormalization", "ReduceMax", "ReduceMin", "Relu", "Reshape", "Sigmoid", "Slice", "Softmax",
    "SpaceToDepth", "Split", "Squeeze", "Sub", "Sum", "Swish", "Tanh", "Tile", "Transpose", "Trilu", "Unsqueeze",
    "Where");

  static OperatorPrecision of(String operator) {
    return PRODUCTS.contains(operator) ? HALF : FOLLOWERS.contains(operator) ? FOLLOWS : FLOAT;
  }
}
