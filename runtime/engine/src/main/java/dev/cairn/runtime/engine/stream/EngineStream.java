package dev.cairn.runtime.engine.stream;

import dev.cairn.kernels.device.Stream;
import dev.cairn.runtime.engine.failure.NamedWork;
import java.util.Arrays;

/**
 * A stream of one worker, and what it has waited for already. A thread that gives work, records or waits holds its
 * lock; {@link #hasPassed} may be asked by any thread.
 */
public final class EngineStream implements NamedWork {
  private static final int USUAL_STREAMS = 8;

  private final Stream stream;
  private final int number;
  /** By number of stream, the latest mark that this one waits for: whatever comes here comes after it. */
  private long[] awaited = new long[USUAL_STREAMS];
  private volatile long lastMark;
  private volatile boolean closed;

  /** @param number no two streams of an engine have the same */
  public EngineStream(Stream stream, int number) {
    this.stream = stream;
    this.number = number;
  }

  /** The stream of the device. */
  public Stream stream() {
    return stream;
  }

  int number() {
    return number;
  }

  /** Whether the stream has passed a mark; a closed stream has passed every mark. */
  boolean hasPassed(long mark) {
    return closed || stream.hasPassed(mark);
  }

  /** Nothing more is ever given to it, and all that was has ended. */
  boolean isClosed() {
    return closed;
  }

  /** Whether all work given to it has ended. */
  public boolean isQuiet() {
    long last = lastMark;
    return last == 0 || hasPassed(last);
  }

  /** Under the lock: gives work, and marks its end. Where that is refused, the work has ended when this throws. */
  public long submit(Runnable work) {
    stream.submit(work);
    try {
      long mark = stream.record();
      lastMark = mark;
      return mark;
    } catch (Throwable e) {
      awaitUnmarked(e);
      throw e;
    }
  }

  /** The host must not touch, or free, what work without a mark is still about. */
  private void awaitUnmarked(Throwable refusal) {
    try {
      stream.synchronize();
    } catch (RuntimeException | Error e) {
      refusal.addSuppressed(e);
    }
  }

  /** Under the lock: what comes from now on comes after that mark; nothing is done where it would anyway. */
  public void waitFor(EngineStream other, long mark) {
    if (other.number == number || awaited(other.number) >= mark || !other.isOfSameDevice(this)) {
      return;
    }
    if (!other.hasPassed(mark)) {
      stream.waitFor(other.stream, mark);
    }
    // The mark is noted only now: if the device refused the wait, it must be asked for again.
    awaited[other.number] = mark;
  }

  /** Whether one of the two can wait for the other. */
  public boolean isOfSameDevice(EngineStream other) {
    return stream.device().equals(other.stream.device());
  }

  private long awaited(int other) {
    if (other >= awaited.length) {
      awaited = Arrays.copyOf(awaited, Math.max(other + 1, 2 * awaited.length));
    }
    return awaited[other];
  }

  /** Returns when all work given so far has ended. */
  synchronized void synchronize() {
    stream.synchronize();
  }

  /** Closes the stream, which must have been synchronised. */
  synchronized void close() {
    closed = true;
    stream.close();
  }

  @Override
  public String name() {
    return "stream" + number;
  }

  @Override
  public String site() {
    return "engine";
  }
}
