package dev.cairn.allocator.bfc;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * The lock of one stripe of many. Unlike {@link HeapLock}, which everybody needs and waits for, it is meant for {@link
 * #tryLock}: whoever finds it held takes another stripe. Waiting, which is for those who need all stripes, is neither
 * fair nor quick. Not reentrant, which is found out. Part of the stripe, so that both are in one cache line.
 */
abstract class StripeLock {
  private static final VarHandle HOLDER;
  private static final int SPINS = 64;
  private static final int YIELDS = 64;
  private static final long PAUSE_NANOS = 20_000;

  static {
    try {
      HOLDER = MethodHandles.lookup().findVarHandle(StripeLock.class, "holder", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  // The holder's thread id, or 0.
  @SuppressWarnings("unused")
  private long holder;

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

  /** Takes the lock for this thread, whose id is {@code self}, if nobody has it. */
  final boolean tryLock(long self) {
    return (long) HOLDER.getOpaque(this) == 0 && HOLDER.compareAndSet(this, 0L, self);
  }

  /**
   * Waits, awake at first, then asleep.
   *
   * @throws IllegalStateException when this thread has it
   */
  final void lock(long self) {
    for (int tries = 0; !tryLock(self); tries++) {
      requireOthers(self);
      pause(tries);
    }
  }

  /** Checks that this thread hasn't the lock: then it would wait for itself. */
  final void requireOthers(long self) {
    if ((long) HOLDER.getOpaque(this) == self) {
      throw HeapLock.reentered();
    }
  }

  final void unlock() {
    HOLDER.setRelease(this, 0L);
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
