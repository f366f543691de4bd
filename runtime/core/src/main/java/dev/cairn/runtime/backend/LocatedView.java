package dev.cairn.runtime.backend;

import dev.cairn.kernels.tensor.TensorView;

/** A tensor's bytes, and which kind of memory they are in. */
public record LocatedView(TensorView view, Location location) {
  /** Smaller tensors of the host reach a GPU by way of memory that executors stage them in, wherever they lie. */
  public static final long STAGED_BYTES = 64 << 10;

  /** In the host's memory. */
  public static LocatedView onHost(TensorView view) {
    return new LocatedView(view, Location.PAGEABLE);
  }

  public boolean isOnDevice() {
    return location == Location.DEVICE;
  }
}
