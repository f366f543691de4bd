package dev.cairn.kernels.cpu;

import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.device.Stream;

/** Runs kernels on the calling thread, and shares a kernel's loop among the device's workers. */
public final class CpuStream implements Stream {
  private final CpuDevice device;

  CpuStream(CpuDevice device) {
    this.device = device;
  }

  /** The stream of a call that a CPU kernel was given. */
  public static CpuStream of(KernelCall call) {
    return (CpuStream) call.stream();
  }

  /**
   * Calls {@code body} with ranges that together cover {@code [0, count)} once, on several threads, and returns when
   * all have ended. A range is at least {@code grain} long, but for the last; what fits into one grain runs on the
   * caller. Where the ranges are cut depends on the number of threads: a body must compute each element by itself, so
   * that results never do.
   */
  public void parallel(long count, long grain, RangeBody body) {
    device.workers().run(count, grain, body);
  }

  /** How many threads {@link #parallel} shares work among, the caller included. */
  public int threads() {
    return device.threads();
  }

  @Override
  public CpuDevice device() {
    return device;
  }

  /** Kernels on the CPU have ended when they return. */
  @Override
  public void synchronize() {}

  /** A loop body over a half-open range. */
  @FunctionalInterface
  public interface RangeBody {
    void run(long first, long end);
  }
}
