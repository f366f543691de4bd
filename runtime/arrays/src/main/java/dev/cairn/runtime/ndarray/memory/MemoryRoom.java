package dev.cairn.runtime.ndarray.memory;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Keeps programs from running ahead of a limit of memory: a thread that makes an array waits while arrays may take more
 * than half of the limit, and closed ones have yet to give memory back. The other half is for scratch memory, and for
 * free memory in pieces that are too small. Values that a program copies into arrays are bounded without a limit, too,
 * since they take memory at once. Thread-safe.
 */
public final class MemoryRoom {
  private static final long LOOK_NANOS = 20_000;
  /**
   * The most bytes of copied values that may be closed and wait for calls that read them; two copies may wait, even if
   * they have more.
   */
  private static final long MOST_COPIED_BYTES = 1L << 20;

  private final ArrayMemory memory;
  private long promisedBytes;
  private int closing;
  private long closedCopies;
  /** Runs on a thread that is about to wait for the calls that read its earlier values. For tests. */
  volatile Runnable beforeWait = () -> {};

  MemoryRoom(ArrayMemory memory) {
    this.memory = memory;
  }

  /**
   * Promises memory to a new array. If the open arrays alone use up the limit, there is nothing to wait for, and the
   * operation that takes the memory is refused.
   *
   * @return what the array may take, for {@link #givenBack}
   */
  public long promise(long bytes, ArrayEngine engine) {
    // A request that is larger than the limit is refused anyway.
    if (memory.limitBytes() == Long.MAX_VALUE || bytes == 0 || bytes > memory.limitBytes()) {
      return 0;
    }
    long most = memory.roundedBytes(bytes);
    await(() -> !tryPromise(most, false) && (engine.mayWait() || !tryPromise(most, true)));
    return most;
  }

  /** Before values are copied into a new array: waits while too many earlier ones are closed and not read yet. */
  public void awaitCopies(long bytes, ArrayEngine engine) {
    if (hasTooManyCopies(bytes) && engine.mayWait()) {
      beforeWait.run();
      await(() -> hasTooManyCopies(bytes) && engine.mayWait());
    }
  }

  /** Waits, and looks from time to time. */
  public static void await(BooleanSupplier mustWait) {
    boolean interrupted = false;
    while (mustWait.getAsBoolean()) {
      LockSupport.parkNanos(mustWait, LOOK_NANOS);
      // An interrupt ends no wait. It is cleared, since parkNanos returns at once while it is set.
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized boolean hasTooManyCopies(long bytes) {
    return closedCopies > Math.max(MOST_COPIED_BYTES, 2 * bytes);
  }

  private synchronized boolean tryPromise(long bytes, boolean always) {
    boolean granted = always || closing == 0 || bytes <= memory.limitBytes() / 2 - promisedBytes;
    if (granted) {
      promisedBytes += bytes;
    }
    return granted;
  }

  /** How many closed arrays have not given their memory back yet. */
  public synchronized int closing() {
    return closing;
  }

  /**
   * The array is closed; its memory goes back after its uses.
   *
   * @param copied bytes of values that the program copied into it
   */
  public void closes(long promised, long copied) {
    if (promised != 0 || copied != 0) {
      synchronized (this) {
        closing += promised == 0 ? 0 : 1;
        closedCopies += copied;
      }
    }
  }

  /** The memory of a closed array went back. */
  public void givenBack(long promised, long copied) {
    if (promised != 0 || copied != 0) {
      synchronized (this) {
        closing -= promised == 0 ? 0 : 1;
        promisedBytes -= promised;
        closedCopies -= copied;
      }
    }
  }
}
