package dev.cairn.kernels.cpu.team;

import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.device.Stream;

/** A stream of the host's processor; shares a kernel's loop among the device's workers. */
public abstract sealed class CpuStream implements Stream permits CallerStream, ThreadStream {
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
  public final void parallel(long count, long grain, RangeBody body) {
    device.team().run(count, grain, body);
  }

  /** How many threads {@link #parallel} shares work among, the caller included. */
  public final int threads() {
    return device.threads();
  }

  @Override
  public final CpuDevice device() {
    return device;
  }

  /** Blocks the calling thread until the mark is passed. */
  abstract void awaitPassed(long mark);

  /** The last mark that was recorded; 0 before the first. */
  abstract long recorded();

  /** The other stream, when one may wait for this mark of it. */
  final CpuStream requireMark(Stream other, long mark) {
    if (!(other instanceof CpuStream stream) || stream.device() != device) {
      throw new IllegalArgumentException("a stream of another device: device=%s other=%s".formatted(device.id(),
        other.device().id()));
    }
    if (mark < 1 || mark > stream.recorded()) {
      throw new IllegalArgumentException("no such mark: mark=%d recorded=%d".formatted(mark, stream.recorded()));
    }
    return stream;
  }

  /** A loop body over a half-open range. */
  @FunctionalInterface
  public interface RangeBody {
    void run(long first, long end);
  }
}
