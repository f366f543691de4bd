package dev.cairn.kernels.attribute;

/**
 * The attributes of {@code Dropout}, which are Cairn's own but {@code seed}: ONNX has an operand for the first.
 *
 * @param isTraining attribute {@code training_mode}, by default 0: whether elements are dropped
 * @param axes those along which all elements share one random number; none by default
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record DropoutForm(boolean isTraining, long[] axes) {
  public static DropoutForm of(Attributes attributes) {
    return new DropoutForm(attributes.getFlag("training_mode", false), attributes.getLongs("axes"));
  }
}
