package dev.cairn.runtime.onnx.notation;

import java.util.Set;

/** In which domain an operator of the graph is defined; nearly all are ONNX's own, whose domain has no name. */
public final class OperatorDomains {
  /** The domain of ONNX Runtime's further operators. */
  public static final String MICROSOFT = "com.microsoft";

  private static final Set<String> OF_MICROSOFT = Set.of("MatMulIntegerToFloat");

  private OperatorDomains() {}

  /** The domain of an operator. */
  public static String of(String operator) {
    return OF_MICROSOFT.contains(operator) ? MICROSOFT : "";
  }
}
