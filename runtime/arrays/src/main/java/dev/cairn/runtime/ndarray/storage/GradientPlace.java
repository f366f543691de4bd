package dev.cairn.runtime.ndarray.storage;

/** Where an array stands for gradients: as a leaf with a gradient of its own, or as a result on a tape. */
public interface GradientPlace {
  /** Whether operations over the array are to be recorded. */
  boolean isOnTape();

  /** Called when the array was closed, or has another place now. */
  void released();
}
