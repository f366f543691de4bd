package dev.cairn.runtime.ndarray.memory;

import dev.cairn.runtime.engine.Engine;
import dev.cairn.runtime.engine.EngineOptions;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The engine of a runtime, and whether the runtime is open. Work that uses memory outside the engine's order keeps it
 * open. Thread-safe.
 */
public final class ArrayEngine {
  private final Engine engine;
  private final boolean isNaive;
  private final boolean capturesSites;
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private volatile boolean closed;
  private volatile boolean ended;
  /** Set while this thread reads or writes bytes between the engine's operations; one of each runtime. */
  @SuppressWarnings("ThreadLocalUsage")
  private final ThreadLocal<Boolean> inside = ThreadLocal.withInitial(() -> false);

  /** @param options of the runtime; the engine itself notes no lines */
  public ArrayEngine(Engine engine, EngineOptions options) {
    this.engine = engine;
    this.isNaive = options.kind() == EngineOptions.Kind.NAIVE;
    this.capturesSites = options.captureSites();
  }

  public Engine engine() {
    return engine;
  }

  /** Whether each operation runs in the call that pushes it. */
  public boolean isNaive() {
    return isNaive;
  }

  /** Whether arrays and operations note the line of the program that made them. */
  public boolean capturesSites() {
    return capturesSites;
  }

  /** The line of the program that calls now; null if lines are not noted. */
  public @Nullable String site() {
    return capturesSites ? CallSite.capture() : null;
  }

  public boolean isClosed() {
    return closed;
  }

  /** Whether the runtime is closed and all operations have ended. */
  public boolean hasEnded() {
    return ended;
  }

  /** All operations have ended, and none can follow. */
  public void end() {
    ended = true;
  }

  /** @throws IllegalStateException when the runtime is closed */
  public void require(String operation) {
    if (closed) {
      throw closed(operation, null);
    }
  }

  /** The error for what the engine has refused, as another thread has closed the runtime meanwhile. */
  public IllegalStateException refused(String operation, IllegalStateException refusal) {
    return closed ? closed(operation, refusal) : refusal;
  }

  private static IllegalStateException closed(String operation, @Nullable Throwable cause) {
    return new IllegalStateException("the runtime of these arrays is closed: operation=%s; read results before it is "
      .formatted(operation) + "closed, or keep their bytes with ArrayTensors.tensor(array)", cause);
  }

  /**
   * Runs short work that takes or uses memory; the runtime closes after it.
   *
   * @throws IllegalStateException when the runtime is closed
   */
  public <T> T during(String operation, Supplier<T> work) {
    lock.readLock().lock();
    try {
      require(operation);
      return work.get();
    } finally {
      lock.readLock().unlock();
    }
  }

  /** Refuses work from now on, and waits for work that has begun; false when that was done before. */
  public boolean close() {
    lock.writeLock().lock();
    try {
      boolean first = !closed;
      closed = true;
      return first;
    } finally {
      lock.writeLock().unlock();
    }
  }

  /** Whether this thread is in an operation, or accesses bytes: it must not wait. */
  public boolean isInside() {
    return inside.get() || engine.isInsideOperation();
  }

  /** @throws IllegalStateException when this thread must not wait */
  public void requireOutside(String what) {
    if (isInside()) {
      throw new IllegalStateException("a wait inside an operation or access, which could never end: for=" + what);
    }
  }

  /** Runs work that accesses bytes, so that it must not wait. */
  public <R> R inside(Supplier<R> work) {
    inside.set(true);
    try {
      return work.get();
    } finally {
      inside.set(false);
    }
  }

  /**
   * Whether this thread may wait for memory of closed arrays. When nothing is pending, memory comes back only from
   * calls that threads hold back.
   */
  boolean mayWait() {
    return engine.pending() > 0 && !isInside();
  }
}
