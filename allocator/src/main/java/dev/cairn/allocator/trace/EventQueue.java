package dev.cairn.allocator.trace;

import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The queue between recording threads and the file: two arrays, one that is filled while a thread of its own writes the
 * other. Safe for use by many threads.
 *
 * <p>Adding an event puts four numbers into an array. Only when a whole array was filled before the last one was
 * written does the adding thread wait: a trace with a hole is worth nothing. After the first failure to write, all that
 * comes is dropped.
 */
final class EventQueue {
  private static final int BATCH_EVENTS = 4096;

  private final Thread writer;
  private final Runnable whenFull;
  private final RmmLines lines;
  private long[] filling = new long[BATCH_EVENTS * RmmLines.WORDS];
  private long[] other = new long[BATCH_EVENTS * RmmLines.WORDS];
  private int filled;
  // The number of events in the other array that are to be written; 0 while the array is free.
  private int pending;
  private boolean ended;
  private @Nullable Throwable failure;

  /** @param whenFull called, with the lock held, before each wait of a thread that adds events */
  EventQueue(OutputStream out, Runnable whenFull) {
    this.whenFull = whenFull;
    this.lines = new RmmLines(out);
    this.writer = Thread.ofPlatform().daemon().name("cairn-trace-recorder").unstarted(this::writeAll);
  }

  void start() {
    writer.start();
  }

  synchronized void add(long thread, long timeAndAction, long address, long bytes) {
    if (failure != null || ended) {
      return;
    }
    if (filled == BATCH_EVENTS) {
      handOver();
    }
    int at = filled * RmmLines.WORDS;
    filling[at] = thread;
    filling[at + 1] = timeAndAction;
    filling[at + 2] = address;
    filling[at + 3] = bytes;
    filled++;
  }

  /** Waits until all is written; the answer is what prevented that, or null. */
  @Nullable
  Throwable finish() {
    synchronized (this) {
      if (filled > 0) {
        handOver();
      }
      ended = true;
      notifyAll();
    }
    boolean interrupted = false;
    while (writer.isAlive()) {
      try {
        writer.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    synchronized (this) {
      return failure;
    }
  }

  /** Gives the filled array to the writer, and takes the one that it is done with. */
  private synchronized void handOver() {
    boolean interrupted = false;
    while (pending > 0 && failure == null) {
      try {
        whenFull.run();
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    long[] full = filling;
    filling = other;
    other = full;
    pending = filled;
    filled = 0;
    notifyAll();
  }

  private void writeAll() {
    try {
      lines.writeHeader();
      for (int count = next(); count > 0; count = next()) {
        lines.write(other, count);
        written();
      }
    } catch (Throwable e) {
      failed(e);
    }
  }

  /** How many events are to be written next; 0 when none will come. */
  private synchronized int next() throws InterruptedException {
    while (pending == 0 && !ended) {
      wait();
    }
    return pending;
  }

  private synchronized void written() {
    pending = 0;
    notifyAll();
  }

  private synchronized void failed(Throwable cause) {
    failure = cause;
    pending = 0;
    notifyAll();
  }
}
