package dev.cairn.runtime.ndarray;

/** Where an array lies, and how it comes elsewhere. */
public sealed interface PlacedFunctions permits NDArray {
  /** The device that it lies on: {@code cpu}, {@code cuda:0}. */
  default String device() {
    return array().range().storage().device.name();
  }

  /**
   * The array on a device: itself if it lies there, else a copy. Returns at once. Gradients flow back through the copy.
   *
   * @throws IllegalArgumentException when the runtime has no such device
   */
  default NDArray to(String device) {
    return DeviceCopies.to(array(), array().runtime().devices().named(device));
  }

  /**
   * Overwrites another array of this shape with these elements, on any device; they are converted. Returns at once.
   *
   * @return the other array
   */
  default NDArray copyTo(NDArray target) {
    return target.copyFrom(array());
  }

  private NDArray array() {
    return (NDArray) this;
  }
}
