package dev.cairn.runtime.ndarray;

import dev.cairn.runtime.pass.gradient.GradientRequest;
import org.jspecify.annotations.Nullable;

/** The gradient of an array to which a backward leads, as the array's owner asked for it (T-4). */
public final class LeafGradient implements TapePlace {
  private final GradientRequest request;
  private final NDArray gradient;
  private volatile boolean fresh;
  private volatile boolean released;

  private LeafGradient(GradientRequest request, NDArray gradient) {
    this.request = request;
    this.gradient = gradient;
  }

  /** @param gradient a new array, which closes with this */
  static LeafGradient of(NDArray gradient, GradientRequest request) {
    return new LeafGradient(request, gradient);
  }

  /** What a backward does with it. */
  public GradientRequest request() {
    return request;
  }

  /** The gradient's array; the next backward writes it again. */
  public NDArray gradient() {
    return gradient;
  }

  /** Replaces the gradient by a sum, or adds the sum, as the request says. */
  public void accumulate(NDArray sum) {
    if (released) {
      return;
    }
    if (request == GradientRequest.ADD) {
      gradient.addi(sum);
    } else {
      gradient.copyFrom(sum);
    }
    fresh = true;
  }

  /** Like {@link #accumulate} of zeros. */
  public void accumulateZeros() {
    if (!released && request == GradientRequest.WRITE) {
      gradient.fill(0);
    }
    fresh = true;
  }

  void zero() {
    gradient.filled(0);
    fresh = false;
  }

  /** Whether a backward has set it since it was last used up. */
  boolean isFresh() {
    return fresh;
  }

  /** Tells that the gradient has been used, as by an optimizer. */
  public void used() {
    fresh = false;
  }

  @Override
  public boolean isOnTape() {
    return !released;
  }

  @Override
  public void released() {
    released = true;
    gradient.range().close();
  }

  @Override
  public void backward(NDArray array, @Nullable NDArray head) {
    if (head != null && !head.type().equals(array.type())) {
      throw new IllegalArgumentException("a head gradient has the array's type: array=%s head=%s".formatted(array
        .type(), head.type()));
    }
    if (head != null) {
      accumulate(head);
      return;
    }
    try (var _ = array.runtime().on(array.device())) {
      accumulate(array.scalar(1).broadcastTo(array.shape().extents()));
    }
  }
}
