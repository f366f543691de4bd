package dev.cairn.runtime.operator;

/** How an operator is computed on images with their channels last. */
public enum ChannelsLastRule {
  /** An elementwise operator is computed on such images where most of its operands lie so; any other is not. */
  NONE,
  /** By a kernel for such images, which a device may have, where the operand lies so. */
  KERNEL,
  /** By a kernel for such images, for which the operand is moved if it lies otherwise. */
  KERNEL_WITH_TRANSPOSE,
  /** By the operator whose name comes after {@code Global}, with a window of the whole image. */
  GLOBAL_WINDOW,
  /** Along the last axis instead of the second. */
  ALONG_CHANNELS,
  /** By copies of whole pixels. */
  PIXELS,
  /** By a product and a sum with constants for each channel. */
  AFFINE,
  /** A node may end an exchange of channels between groups. */
  GROUPS,
  /** A node may give the image with its channels last another order of axes, or back. */
  ORDER;

  /** Whether a device may have a kernel of the operator for such images. */
  public boolean hasKernel() {
    return this == KERNEL || this == KERNEL_WITH_TRANSPOSE;
  }
}
