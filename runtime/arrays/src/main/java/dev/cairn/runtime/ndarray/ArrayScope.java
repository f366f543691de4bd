package dev.cairn.runtime.ndarray;

import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Owns the arrays that its thread makes while it is the innermost open scope. Closing it closes those that are
 * still open. Only the thread that opened it uses it.
 */
public final class ArrayScope implements AutoCloseable {
  private static final int SMALLEST_SWEEP = 64;

  private final ArrayRuntime runtime;
  private final @Nullable ArrayScope outer;
  private final Thread thread = Thread.currentThread();
  private final ArrayList<NDArray> arrays = new ArrayList<>();
  private int nextSweep = SMALLEST_SWEEP;
  private boolean closed;

  ArrayScope(ArrayRuntime runtime, @Nullable ArrayScope outer) {
    this.runtime = runtime;
    this.outer = outer;
  }

  @Nullable
  ArrayScope outer() {
    return outer;
  }

  void add(NDArray array) {
    if (arrays.size() >= nextSweep) {
      // Arrays that were closed by themselves need not be remembered.
      arrays.removeIf(it -> it.isClosed() || !isMine(it));
      nextSweep = Math.max(SMALLEST_SWEEP, 2 * arrays.size());
      arrays.ensureCapacity(nextSweep);
    }
    arrays.add(array);
    array.setScope(this);
  }

  @SuppressWarnings("ReferenceEquality")
  private boolean isMine(NDArray array) {
    return array.scope() == this;
  }

  /**
   * Gives an array to the enclosing scope; without one, to the caller.
   *
   * @return the array
   * @throws IllegalArgumentException when it is not this scope's
   */
  public NDArray keep(NDArray array) {
    if (array.range().storage().isSketched()) {
      return array;
    }
    requireMine(array);
    ArrayScope around = outer;
    if (around == null) {
      runtime.leaveToCaller(array);
    } else {
      around.add(array);
    }
    return array;
  }

  /**
   * Gives an array to the caller, who closes it.
   *
   * @return the array
   * @throws IllegalArgumentException when it is not this scope's
   */
  public NDArray release(NDArray array) {
    if (array.range().storage().isSketched()) {
      return array;
    }
    requireMine(array);
    runtime.leaveToCaller(array);
    return array;
  }

  private void requireMine(NDArray array) {
    requireThread();
    array.requireOpen("keep");
    if (closed || !isMine(array)) {
      throw new IllegalArgumentException("not an array of this scope: array=%s isScopeClosed=%s".formatted(array
        .range().summary(), closed));
    }
  }

  private void requireThread() {
    if (!thread.equals(Thread.currentThread())) {
      throw new IllegalStateException("a scope belongs to the thread that opened it: thread=" + thread.getName());
    }
  }

  /**
   * Closes the arrays of this scope that are still open, also where closing one of them fails. Their memory goes back
   * after all uses so far.
   *
   * @throws IllegalStateException when an inner scope is open, or this one is closed already
   */
  @Override
  public void close() {
    requireThread();
    if (closed) {
      throw new IllegalStateException("a scope is closed twice");
    }
    runtime.leave(this);
    closed = true;
    RuntimeException failure = null;
    for (NDArray array : arrays) {
      try {
        if (isMine(array)) {
          array.range().close();
        }
      } catch (RuntimeException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    arrays.clear();
    if (failure != null) {
      throw failure;
    }
  }
}
