package dev.cairn.kernels.cpu.team;

import dev.cairn.kernels.device.Stream;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Runs work on the thread that gives it, at once: when a thread has recorded a mark, its earlier work has ended.
 * Thread-safe; each thread's work has an order of its own.
 */
final class CallerStream extends CpuStream {
  private final AtomicLong recorded = new AtomicLong();

  CallerStream(CpuDevice device) {
    super(device);
  }

  @Override
  public void submit(Runnable work) {
    work.run();
  }

  @Override
  public long record() {
    return recorded.incrementAndGet();
  }

  @Override
  public void waitFor(Stream other, long mark) {
    requireMark(other, mark).awaitPassed(mark);
  }

  @Override
  public boolean hasPassed(long mark) {
    return mark <= recorded.get();
  }

  @Override
  void awaitPassed(long mark) {}

  @Override
  long recorded() {
    return recorded.get();
  }

  @Override
  public void synchronize() {}

  @Override
  public void close() {
    throw new IllegalStateException("the default stream is closed with its device: device=" + device().id());
  }
}
