package dev.cairn.runtime.backend;

import dev.cairn.allocator.source.PinnedSubAllocator;
import dev.cairn.allocator.source.SubAllocator;
import dev.cairn.kernels.catalog.KernelCatalog;

/**
 * What runs models: a device with its kernels and its memory. Thread-safe. Whoever opens one closes it, after all
 * memory has been given back.
 */
public interface Backend extends AutoCloseable {
  /** Device, transfers and recorder, as executors take them. */
  RunTarget target();

  /** The device's kernels. */
  KernelCatalog catalog();

  /** Kernels of the host's memory, by which constants are computed. */
  KernelCatalog hostCatalog();

  /** Which kernels serve, for people. */
  String kernels();

  /** Where the memory comes from that the kernels read and write. */
  SubAllocator memory();

  /**
   * A source of the host's memory that the device copies from and to without staging; closed by its owner, perhaps
   * after the backend.
   *
   * @throws UnsupportedOperationException where kernels use the host's memory as it is
   */
  PinnedSubAllocator newPageLockedMemory();

  /** Why it is this one, for people: a few words. */
  String reason();

  /** What a person calls it. */
  default String description() {
    return target().device().description();
  }

  @Override
  void close();
}
