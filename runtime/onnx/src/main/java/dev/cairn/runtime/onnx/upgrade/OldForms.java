package dev.cairn.runtime.onnx.upgrade;

import java.util.HashMap;
import java.util.Map;

/**
 * From which opset on the form of an operator is one that Cairn reads, where that is before {@link #USUAL}. Older forms
 * have other attributes, such as one for broadcasting. From the change logs of the ONNX standard.
 */
public final class OldForms {
  /** Operators that are not listed are read from this opset on. */
  private static final long USUAL = 9;
  private static final Map<String, Long> FIRST = first();

  private OldForms() {}

  private static Map<String, Long> first() {
    Map<String, Long> first = new HashMap<>();
    put(first, 1, "MaxRoiPool", "RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike", "Constant",
      "Conv", "ConvTranspose", "DepthToSpace", "Flatten", "GlobalAveragePool", "GlobalMaxPool",
      "Hardmax", "Identity", "If", "LRN", "Loop", "LogSoftmax", "LpNormalization", "MatMul", "MaxPool", "Not",
      "ReduceL1", "ReduceL2",
      "ReduceLogSum", "ReduceLogSumExp", "ReduceMax", "ReduceMean", "ReduceMin", "ReduceProd", "ReduceSum",
      "ReduceSumSquare", "Shape", "Size", "Slice", "Softmax", "Softplus", "Softsign", "SpaceToDepth", "Squeeze",
      "Transpose", "Unsqueeze", "ArgMax", "ArgMin", "Gather");
    put(first, 2, "GlobalLpPool", "LpPool", "Pad", "Split");
    put(first, 4, "Concat");
    put(first, 5, "Reshape");
    put(first, 6, "Abs", "Cast", "Ceil", "Clip", "Elu", "Exp", "Floor", "HardSigmoid", "InstanceNormalization",
      "LeakyRelu", "Log", "Max", "Mean", "Min", "Neg", "Reciprocal", "Relu", "Selu", "Sigmoid", "Sqrt", "Sum", "Tanh",
      "Tile");
    put(first, 7, "Acos", "Add", "And", "Asin", "Atan", "AveragePool", "Cos", "Div", "Dropout", "Equal", "Gemm",
      "GRU", "Greater", "LSTM", "Less", "Mul", "Or", "PRelu", "Multinomial", "Pow", "RNN", "Sin", "Sub", "Tan",
      "Upsample", "Xor");
    put(first, 8, "Expand", "Scan");
    return Map.copyOf(first);
  }

  private static void put(Map<String, Long> first, long opset, String... operators) {
    for (String operator : operators) {
      first.put(operator, opset);
    }
  }

  /** The first opset whose form of an operator Cairn reads. */
  public static long since(String operator) {
    return FIRST.getOrDefault(operator, USUAL);
  }
}
