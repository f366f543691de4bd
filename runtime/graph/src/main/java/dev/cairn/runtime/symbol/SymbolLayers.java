package dev.cairn.runtime.symbol;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.runtime.graph.PartialType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Layers: operators with new variables, which are named after the layer and their part in it. */
public final class SymbolLayers {
  private SymbolLayers() {}

  static Symbol dense(String name, Symbol data, long units) {
    return made(name, Operators.GEMM, Attributes.NONE.with("transB", 1), data,
      parameter(name, "weight", PartialType.ofShape(
        units, PartialType.OPEN)),
      parameter(name, "bias", PartialType.ofShape(units)));
  }

  /**
   * A convolution with the new variables {@code <name>_weight} and {@code <name>_bias}.
   *
   * @param attributes of {@code Conv}, without the kernel's shape
   */
  public static Symbol convolution(String name, Symbol data, long channels, long[] kernel, Attributes attributes) {
    long[] weight = new long[kernel.length + 2];
    Arrays.fill(weight, PartialType.OPEN);
    weight[0] = channels;
    System.arraycopy(kernel, 0, weight, 2, kernel.length);
    return made(name, Operators.CONV, attributes.with("kernel_shape", AttributeValue.Ints.of(kernel)), data,
      parameter(name,
        "weight", PartialType.ofShape(weight)),
      parameter(name, "bias", PartialType.ofShape(channels)));
  }

  /**
   * Normalises each channel, with the new variables {@code <name>_gamma} and {@code <name>_beta} and the states {@code
   * <name>_running_mean} and {@code <name>_running_var}.
   */
  public static Symbol batchNorm(String name, Symbol data, float epsilon) {
    return made(name, Operators.BATCH_NORMALIZATION, Attributes.NONE.with("epsilon", new AttributeValue.Real(epsilon)),
      data,
      parameter(name, "gamma", PartialType.UNKNOWN), parameter(name, "beta", PartialType.UNKNOWN), parameter(name,
        "running_mean", PartialType.UNKNOWN),
      parameter(name, "running_var", PartialType.UNKNOWN));
  }

  /** Normalises over the axes from one on, with the new variables {@code <name>_gamma} and {@code <name>_beta}. */
  public static Symbol layerNorm(String name, Symbol data, int axis, float epsilon) {
    Attributes attributes = Attributes.NONE.with("axis", axis).with("epsilon", new AttributeValue.Real(epsilon));
    return made(name, "LayerNormalization", attributes, data, parameter(name, "gamma", PartialType.UNKNOWN), parameter(
      name, "beta", PartialType.UNKNOWN));
  }

  /** Rows of the new variable {@code <name>_weight}, one for each index. */
  public static Symbol embedding(String name, Symbol indices, long rows, long width) {
    return made(name, Operators.GATHER, Attributes.NONE, parameter(name, "weight", PartialType.ofShape(rows, width)),
      indices);
  }

  private static Symbol parameter(String layer, String role, PartialType type) {
    return Symbol.variable(NameScope.of(layer) + "_" + role, type);
  }

  private static Symbol made(String name, String operator, Attributes attributes, Symbol... operands) {
    List<@Nullable Symbol> all = new ArrayList<>(List.of(operands));
    return SymbolNames.symbol(SymbolCall.node(name, operator, attributes, 1, all).entry(), all);
  }
}
