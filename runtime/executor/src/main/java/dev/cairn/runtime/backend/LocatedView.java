package dev.cairn.runtime.backend;

import dev.cairn.kernels.tensor.TensorView;

/** A tensor's bytes, and the kind of memory that holds them. */
public record LocatedView(TensorView view, Location location) {
  /** Executors stage every host tensor below this size before they copy it to a GPU. */
  public static final long STAGED_BYTES = 64 << 10;

  /** In the host's memory. */
  public static LocatedView onHost(TensorView view) {
    return new LocatedView(view, Location.PAGEABLE);
  }

  public boolean isOnDevice() {
    return location == Location.DEVICE;
  }
}
