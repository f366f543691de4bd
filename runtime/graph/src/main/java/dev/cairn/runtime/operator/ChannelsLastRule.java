package dev.cairn.runtime.operator;

/** How an operator is computed on images with their channels last. */
public enum ChannelsLastRule {
  /** No rule: an elementwise operator is computed on such images if most of its operands are; others are not. */
  NONE,
  /** It is computed by a kernel for such images, if the device has one and the operand is such an image. */
  KERNEL,
  /** It is computed by a kernel for such images; an operand that is none is transposed. */
  KERNEL_WITH_TRANSPOSE,
  /** It is computed by the operator whose name comes after {@code Global}, with a window of the whole image. */
  GLOBAL_WINDOW,
  /** It is computed along the last axis instead of the second. */
  ALONG_CHANNELS,
  /** It copies whole pixels. */
  PIXELS,
  /** It is computed by a product and a sum with constants for each channel. */
  AFFINE,
  /** It may be the last node of an exchange of channels between groups. */
  GROUPS,
  /** It may turn images with channels last into plain ones, or back, by another order of axes. */
  ORDER;

  /** Whether a device may have a kernel of the operator for such images. */
  public boolean hasKernel() {
    return this == KERNEL || this == KERNEL_WITH_TRANSPOSE;
  }
}
