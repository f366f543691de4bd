package dev.cairn.runtime.ndarray;

import dev.cairn.runtime.pass.gradient.GradientRequest;
import org.jspecify.annotations.Nullable;

/** The gradient of an array: {@code dev.cairn.runtime.autograd.Autograd} records what leads to it. */
public sealed interface TapedFunctions permits NDArray {
  /** This, as what it is. */
  private NDArray array() {
    return (NDArray) this;
  }

  /**
   * Makes this array one whose gradient a backward computes. No gradient flows through it to the arrays from which it
   * was computed. The gradient begins with zeros, and closes with the array.
   *
   * @return this array
   * @throws IllegalArgumentException when the elements are not floating-point numbers
   */
  default NDArray attachGradient() {
    return attachGradient(GradientRequest.WRITE);
  }

  /** Like {@link #attachGradient()}; {@code NONE} takes a gradient off. */
  default NDArray attachGradient(GradientRequest request) {
    LeafGradient.attach(array(), request);
    return array();
  }

  /**
   * The attached gradient, which the next backward overwrites or adds to. Closes with this array.
   *
   * @throws IllegalStateException when none is attached
   */
  default NDArray gradient() {
    return LeafGradient.of(array()).gradient();
  }

  /** Whether a gradient is attached. */
  default boolean hasGradient() {
    return array().share().place() instanceof LeafGradient;
  }

  /** Sets the gradient to zeros. */
  default void zeroGradient() {
    LeafGradient.of(array()).zero();
  }

  /** Takes the gradient off, and closes it. */
  default void dropGradient() {
    LeafGradient.of(array());
    array().share().setPlace(null);
  }

  /** Whether a backward has set the gradient since an optimizer used it, or it was zeroed. */
  default boolean isGradientFresh() {
    return LeafGradient.of(array()).isFresh();
  }

  /**
   * Computes the gradients of all arrays with attached gradients that this array was computed from, as this array's
   * sum has them. What was recorded is given up.
   *
   * @throws IllegalStateException when this array was not recorded, or its tape was given up
   */
  default void backward() {
    backward(null);
  }

  /**
   * Like {@link #backward()}.
   *
   * @param head the gradient of this array, of its type; null for ones
   */
  default void backward(@Nullable NDArray head) {
    array().requireOpen("backward");
    TapePlace place = array().share().place();
    if (place == null) {
      throw new IllegalStateException("nothing was recorded for this array: array=%s; compute it while "
        .formatted(array().type()) + "Autograd.record() is open, from an array with an attached gradient");
    }
    place.backward(array(), head);
  }

  /** The same elements where they lie, as an array from which no gradient flows back (T-7). */
  default NDArray detach() {
    return Slices.detached(array());
  }
}
