package dev.cairn.runtime.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The thread that has it takes blocks from a queue of one taker, and runs them: a group's only thread, or a thread that
 * waits. No thread waits for it. Alone on its cache line. Thread-safe.
 */
@SuppressWarnings("unused")
final class RunLock {
  private static final VarHandle TAKEN;

  static {
    try {
      TAKEN = MethodHandles.lookup().findVarHandle(RunLock.class, "taken", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private long p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15;
  private volatile int taken;
  private long q0, q1, q2, q3, q4, q5, q6, q7, q8, q9, q10, q11, q12, q13, q14, q15;

  boolean tryTake() {
    return taken == 0 && TAKEN.compareAndSet(this, 0, 1);
  }

  boolean isTaken() {
    return taken != 0;
  }

  /** What the caller reads next is read after others can take it. */
  void giveBack() {
    taken = 0;
  }
}
