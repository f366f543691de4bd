package dev.cairn.kernels.attribute;

/**
 * The attributes of operators of sequences. Defaults are those of ONNX operator set 22.
 *
 * @param axis of {@code ConcatFromSequence} and {@code SplitToSequence}, by default 0
 * @param isAxisGiven whether the node has an axis, which ConcatFromSequence needs
 * @param addsAxis attribute {@code new_axis} of ConcatFromSequence, by default 0: whether elements are stacked along a
 *   new axis
 * @param keepsAxis attribute {@code keepdims} of SplitToSequence, by default 1: whether pieces of extent 1 keep their
 *   axis
 * @param admitsTensor attribute {@code or_tensor} of {@code SequenceAt}, Cairn's own, by default 0: whether the operand
 *   may be a tensor, which then is the result
 * @param dtype of a {@code SequenceEmpty}, by default {@code float32}
 */
public record SequenceForm(long axis, boolean isAxisGiven, boolean addsAxis, boolean keepsAxis, boolean admitsTensor,
  String dtype) {
  /** With this attribute, {@code SequenceAt} of a tensor is the tensor: {@code SequenceMap} takes both. */
  public static final String OR_TENSOR = "or_tensor";
  private static final String ADDS_AXIS = "new_axis";

  public static SequenceForm of(Attributes attributes) {
    return new SequenceForm(attributes.getLong("axis", 0), attributes.has("axis"), attributes.getFlag(ADDS_AXIS, false),
      attributes.getFlag("keepdims", true), attributes.getFlag(OR_TENSOR, false),
      attributes.getText("dtype", "float32"));
  }

  /** The attributes of the {@code Concat} of elements, to which their new axis has been added. */
  public static Attributes concat(Attributes attributes) {
    return attributes.without(ADDS_AXIS);
  }
}
