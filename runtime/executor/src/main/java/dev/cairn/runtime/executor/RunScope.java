package dev.cairn.runtime.executor;

import dev.cairn.kernels.device.ForeignWork;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A run under way, as all threads see it that work for it: the caller's, and those of streams and engines. A run that
 * an observer or a kernel begins on such a thread is inside of this one, which waits for it and so has to share what it
 * holds. A thread that works for a run refuses {@linkplain ForeignWork foreign work}, which would count as inside.
 */
public final class RunScope {
  private static final ThreadLocal<@Nullable RunScope> INNERMOST = new ThreadLocal<>();

  private final Object session;
  private final @Nullable RunScope outer;
  private final @Nullable RunScope sharedTurn;
  private final Lock inside = new ReentrantLock();
  private volatile boolean hasTurn;

  private RunScope(Object session, @Nullable RunScope outer, @Nullable RunScope sharedTurn) {
    this.session = session;
    this.outer = outer;
    this.sharedTurn = sharedTurn;
  }

  /** Begins a run of a session on this thread; {@link #end} must follow on the same thread. */
  public static RunScope begin(Object session) {
    RunScope begun = new RunScope(session, innermost(), withTurn(session));
    begun.set();
    return begun;
  }

  /** Ends the run. */
  public void end() {
    unset(outer);
  }

  /** The innermost run for which this thread works; null if there is none. */
  public static @Nullable RunScope innermost() {
    return INNERMOST.get();
  }

  /** Whether this thread works for a run of this session. */
  public static boolean isInside(Object session) {
    return find(session, false) != null;
  }

  /** The innermost run of this session that has its turn, and for which this thread works; null if there is none. */
  public static @Nullable RunScope withTurn(Object session) {
    return find(session, true);
  }

  @SuppressWarnings("ReferenceEquality")
  private static @Nullable RunScope find(Object session, boolean withTurn) {
    RunScope run = innermost();
    while (run != null && (run.session != session || (withTurn && !run.hasTurn))) {
      run = run.outer;
    }
    return run;
  }

  /** The run that this one is inside of, of this session or another one; null if there is none. */
  public @Nullable RunScope outer() {
    return outer;
  }

  /** The run of the same session that this one is inside of, and whose turn it shares; null if there is none. */
  public @Nullable RunScope sharedTurn() {
    return sharedTurn;
  }

  /** Says that the run has a turn among the runs of its session, or has it no longer. */
  public void hasTurn(boolean value) {
    hasTurn = value;
  }

  /** Runs that share the turn of this one hold this lock where only one of them may go on at a time. */
  public Lock inside() {
    return inside;
  }

  /**
   * Makes this thread work for the run. Returns whether it did not before; then {@link #leave} must follow.
   *
   * @throws IllegalStateException when this thread works for another run
   */
  @SuppressWarnings("ReferenceEquality")
  boolean enter() {
    RunScope now = innermost();
    if (now == this) {
      return false;
    }
    if (now != null) {
      throw new IllegalStateException("this thread works for another run");
    }
    set();
    return true;
  }

  /** Ends one {@link #enter} that returned true. */
  void leave() {
    unset(null);
  }

  private void set() {
    ForeignWork.refuse();
    boolean done = false;
    try {
      INNERMOST.set(this);
      done = true;
    } finally {
      if (!done) {
        ForeignWork.accept();
      }
    }
  }

  /** A thread that works for no run keeps no object of this class, whose class loader may be given up. */
  private static void unset(@Nullable RunScope before) {
    if (before == null) {
      INNERMOST.remove();
    } else {
      INNERMOST.set(before);
    }
    ForeignWork.accept();
  }
}
