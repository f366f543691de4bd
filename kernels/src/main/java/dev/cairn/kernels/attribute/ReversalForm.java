package dev.cairn.kernels.attribute;

/**
 * The attributes of {@code ReverseSequence}: one is axis 0, the other axis 1. Defaults are those of ONNX operator set
 * 22.
 *
 * @param batchAxis by default 1
 * @param timeAxis by default 0
 */
public record ReversalForm(long batchAxis, long timeAxis) {
  public static ReversalForm of(Attributes attributes) {
    return new ReversalForm(attributes.getLong("batch_axis", 1), attributes.getLong("time_axis", 0));
  }
}
