package dev.cairn.allocator.bfc;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * A lock that costs one compare-and-set where nobody else wants it: not fair, not reentrant. Meant for sections of some
 * ten instructions, and for use with {@link #tryLock}: whoever finds it held looks elsewhere.
 */
abstract class TinyLock {
  private static final VarHandle HELD;
  private static final int SPINS = 64;
  private static final int YIELDS = 64;
  private static final long PAUSE_NANOS = 20_000;

  static {
    try {
      HELD = MethodHandles.lookup().findVarHandle(TinyLock.class, "held", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  @SuppressWarnings("unused")
  private int held;

  // Those who look at the lock take its cache line from its holder, who writes to the fields of the subclass.
  @SuppressWarnings("unused")
  private long padding1;
  @SuppressWarnings("unused")
  private long padding2;
  @SuppressWarnings("unused")
  private long padding3;
  @SuppressWarnings("unused")
  private long padding4;
  @SuppressWarnings("unused")
  private long padding5;
  @SuppressWarnings("unused")
  private long padding6;
  @SuppressWarnings("unused")
  private long padding7;
  @SuppressWarnings("unused")
  private long padding8;

  final boolean tryLock() {
    return (int) HELD.getOpaque(this) == 0 && HELD.compareAndSet(this, 0, 1);
  }

  /** Waits, awake at first, then asleep. */
  final void lock() {
    for (int tries = 0; !tryLock(); tries++) {
      pause(tries);
    }
  }

  final void unlock() {
    HELD.setRelease(this, 0);
  }

  final boolean isHeld() {
    return (int) HELD.getAcquire(this) != 0;
  }

  /** A wait that is the longer, the more there were. */
  @SuppressWarnings("ThreadPriorityCheck") // a yield is one step between spinning and sleeping
  static void pause(int tries) {
    if (tries < SPINS) {
      Thread.onSpinWait();
    } else if (tries < SPINS + YIELDS) {
      Thread.yield();
    } else {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }
}
