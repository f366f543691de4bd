package dev.cairn.kernels.attribute;

/**
 * The attributes of {@code Conv}, {@code ConvTranspose} and {@code DeformConv}, and of their gradients, that do not
 * belong to the window. Defaults are those of ONNX operator set 22.
 *
 * @param group how many groups of channels are convolved by themselves; by default 1
 * @param offsetGroup how many groups of channels of a {@code DeformConv} have offsets of their own; by default 1
 */
public record ConvolutionForm(long group, long offsetGroup) {
  public static ConvolutionForm of(Attributes attributes) {
    return new ConvolutionForm(attributes.getLong("group", 1), attributes.getLong("offset_group", 1));
  }

  /** The number of groups where kernels count with {@code int}. */
  public int groups() {
    return Math.toIntExact(group);
  }
}
