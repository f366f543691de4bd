package dev.cairn.runtime.backend;

import dev.cairn.allocator.source.PinnedSubAllocator;
import dev.cairn.allocator.source.SubAllocator;
import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.catalog.family.StandardKernels;
import dev.cairn.kernels.cpu.CpuDevice;

/** The processor. Its memory may outlive it. */
public final class HostBackend implements Backend {
  private final CpuDevice device;
  private final RunTarget target;
  private final SubAllocator memory;
  private final String reason;
  private final KernelCatalog catalog;

  /**
   * @param threads that one kernel may use
   * @param memory where regions come from; lasts longer
   * @param reason why it is the processor, for people
   */
  public HostBackend(int threads, SubAllocator memory, String reason) {
    this(threads, memory, reason, StandardKernels.catalog());
  }

  /** The same with other kernels of the processor. */
  HostBackend(int threads, SubAllocator memory, String reason, KernelCatalog catalog) {
    this.device = new CpuDevice(threads);
    this.target = RunTarget.host(device);
    this.memory = memory;
    this.reason = reason;
    this.catalog = catalog;
  }

  @Override
  public RunTarget target() {
    return target;
  }

  @Override
  public KernelCatalog catalog() {
    return catalog;
  }

  @Override
  public SubAllocator memory() {
    return memory;
  }

  @Override
  public PinnedSubAllocator newPageLockedMemory() {
    throw new UnsupportedOperationException("no page-locked memory is needed: device=" + device.id());
  }

  @Override
  public String reason() {
    return reason;
  }

  @Override
  public void close() {
    device.close();
  }
}
