package dev.cairn.kernels.cpu.team;

import dev.cairn.kernels.device.ProcessorWaits;
import dev.cairn.kernels.device.Rethrown;
import dev.cairn.kernels.device.Stream;
import org.jspecify.annotations.Nullable;

/** A stream with a thread of its own, which takes work, waits and marks from a ring in the order they were given. */
final class ThreadStream extends CpuStream {
  /** The entry in the ring at which a mark is passed. */
  private enum Mark {
    HERE
  }

  private final StreamRing ring = new StreamRing();
  private final PassedMarks passed = new PassedMarks();
  private final Thread thread;
  private volatile long recorded;
  /** Written by the stream's thread before it passes a mark, and by the giver after it saw that. */
  private @Nullable Throwable failure;

  ThreadStream(CpuDevice device, String name) {
    super(device);
    thread = Thread.ofPlatform().name("cairn-stream-" + name).daemon().start(this::serve);
  }

  private void serve() {
    ProcessorWaits.OF_PROCESS.join();
    while (ring.awaitNext()) {
      long number = ring.number();
      Object item = ring.take();
      if (item instanceof Mark) {
        passed.pass(number);
      } else if (item instanceof CpuStream other) {
        other.awaitPassed(number);
      } else if (failure == null) {
        attempt((Runnable) item);
      }
    }
  }

  @SuppressWarnings("CatchingUnchecked") // code in other JVM languages may throw any exception
  private void attempt(Runnable work) {
    try {
      work.run();
    } catch (Throwable e) {
      failure = e;
    } finally {
      // An interrupt that one piece of work left must not reach the next.
      Thread.interrupted();
    }
  }

  @Override
  public void submit(Runnable work) {
    give(work, 0);
  }

  @Override
  public long record() {
    long mark = recorded + 1;
    give(Mark.HERE, mark);
    recorded = mark;
    return mark;
  }

  @Override
  public void waitFor(Stream other, long mark) {
    CpuStream awaited = requireMark(other, mark);
    if (awaited != this && !awaited.hasPassed(mark)) {
      give(awaited, mark);
    }
  }

  private void give(Object item, long number) {
    requireOutside();
    if (ring.isClosed()) {
      throw new IllegalStateException("stream is closed: stream=" + thread.getName());
    }
    ring.put(item, number, thread);
  }

  private void requireOutside() {
    if (thread.equals(Thread.currentThread())) {
      throw new IllegalStateException("a stream's own work cannot drive it: stream=" + thread.getName());
    }
  }

  @Override
  public boolean hasPassed(long mark) {
    return passed.has(mark);
  }

  @Override
  void awaitPassed(long mark) {
    passed.await(mark);
  }

  @Override
  long recorded() {
    return recorded;
  }

  @Override
  public void synchronize() {
    passed.await(record());
    Throwable failed = failure;
    failure = null;
    if (failed != null) {
      throw Rethrown.asItIs(failed);
    }
  }

  @Override
  public void close() {
    requireOutside();
    device().forget(this);
    end();
  }

  /** Waits for the work given so far, and for the thread. */
  void end() {
    ring.close(thread);
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
