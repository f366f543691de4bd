package dev.cairn.runtime.ndarray;

import dev.cairn.runtime.ndarray.storage.GradientPlace;
import org.jspecify.annotations.Nullable;

/** A place from which gradients can be computed. */
public interface TapePlace extends GradientPlace {
  /**
   * Computes the gradients of all leaves that the array was computed from.
   *
   * @param head the gradient of the array itself; null for ones
   */
  void backward(NDArray array, @Nullable NDArray head);
}
