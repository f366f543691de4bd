package dev.cairn.runtime.operator;

import java.util.List;

/**
 * How ONNX files have an operator.
 *
 * @param domain in which it is defined; empty for ONNX's own
 * @param opset of ONNX in which it came, if graphs need a later one than {@link #OPSET} for it
 * @param types attributes that number an element type in files; in graphs they name it
 */
public record OnnxFacts(String domain, long opset, List<String> types) {
  /** The operator set of graphs. */
  public static final long OPSET = 22;
  /** The domain of ONNX's operators for classic machine learning. */
  public static final String CLASSIC = "ai.onnx.ml";
  /** The domain of ONNX Runtime's further operators. */
  public static final String MICROSOFT = "com.microsoft";
  /** The facts of most operators. */
  public static final OnnxFacts NONE = new OnnxFacts("", OPSET, List.of());

  public OnnxFacts {
    types = List.copyOf(types);
  }
}
