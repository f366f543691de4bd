package dev.cairn.runtime.backend;

import dev.cairn.allocator.source.PinnedSubAllocator;
import dev.cairn.allocator.source.SubAllocator;
import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.runtime.custom.OperatorRegistry;

/**
 * A device with its kernels and its memory: what a model runs on. Thread-safe. The code that opens a backend closes it,
 * after all of its memory is free.
 */
public interface Backend extends AutoCloseable {
  /** The device, transfers and recorder that executors use. */
  RunTarget target();

  /** The device's kernels. */
  KernelCatalog catalog();

  /** The device's kernels, with those of users' operators. */
  KernelCatalog catalog(OperatorRegistry operators);

  /** Kernels that work in host memory. The compiler computes constants with them. */
  KernelCatalog hostCatalog();

  /** The kernels in use, as text for users. */
  String kernels();

  /** The source of the memory that kernels read and write. */
  SubAllocator memory();

  /**
   * Opens a source of host memory that the device copies from and to without staging. The caller closes it, and may do
   * so after closing the backend.
   *
   * @throws UnsupportedOperationException if kernels use host memory directly
   */
  PinnedSubAllocator newPageLockedMemory();

  /** The reason why this backend was chosen: a few words for users. */
  String reason();

  /** The backend's name for users. */
  default String description() {
    return target().device().description();
  }

  @Override
  void close();
}
