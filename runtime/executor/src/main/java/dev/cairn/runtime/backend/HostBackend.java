package dev.cairn.runtime.backend;

import dev.cairn.allocator.source.PinnedSubAllocator;
import dev.cairn.allocator.source.SubAllocator;
import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.cpu.team.CpuDevice;
import dev.cairn.kernels.row.ProcessorKernels;
import dev.cairn.runtime.custom.OperatorRegistry;

/** The processor. Its memory may outlive the backend. */
public final class HostBackend implements Backend {
  private final CpuDevice device;
  private final RunTarget target;
  private final SubAllocator memory;
  private final String reason;
  private final ProcessorKernels kernels;

  /**
   * Creates the backend.
   *
   * @param threads the number of threads that one kernel may use
   * @param memory the source of regions, which outlives this backend
   * @param reason why the processor was chosen, as text for users
   * @param kernels kernels for {@code threads} threads; this backend closes them, also when this throws
   */
  public HostBackend(int threads, SubAllocator memory, String reason, ProcessorKernels kernels) {
    this.device = device(threads, kernels);
    this.target = RunTarget.host(device);
    this.memory = memory;
    this.reason = reason;
    this.kernels = kernels;
  }

  private static CpuDevice device(int threads, ProcessorKernels kernels) {
    try {
      return new CpuDevice(threads, kernels.team());
    } catch (RuntimeException | Error e) {
      try (kernels) {
        throw e;
      }
    }
  }

  @Override
  public RunTarget target() {
    return target;
  }

  @Override
  public KernelCatalog catalog() {
    return kernels.catalog();
  }

  @Override
  public KernelCatalog catalog(OperatorRegistry operators) {
    return operators.onHost(kernels.catalog());
  }

  @Override
  public KernelCatalog hostCatalog() {
    return kernels.ofJava();
  }

  @Override
  public String kernels() {
    return kernels.description();
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
    try (kernels) {
      device.close();
    }
  }
}
