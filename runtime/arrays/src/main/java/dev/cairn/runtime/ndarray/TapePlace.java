package dev.cairn.runtime.ndarray;

import org.jspecify.annotations.Nullable;

/** Where an array stands for gradients: as a leaf with a gradient of its own, or as a result on a tape. */
public interface TapePlace {
  /** Whether operations over the array are to be recorded. */
  boolean isOnTape();

  /** Called when the array was closed, or has another place now. */
  void released();

  /**
   * Computes the gradients of all leaves that the array was computed from.
   *
   * @param head the gradient of the array itself; null for ones
   */
  void backward(NDArray array, @Nullable NDArray head);
}
