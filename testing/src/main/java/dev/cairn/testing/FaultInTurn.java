package dev.cairn.testing;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Fails one call of the outside world: of memory, of a library, of files. A sweep repeats a program and fails the first
 * call, then the second, and so on, until the program makes no further call. A double of the outside world asks {@link
 * #isNow} at each call. Thread-safe.
 */
public final class FaultInTurn {
  /** The text of each failure. */
  public static final String PLANTED = "planted fault";

  private final int failing;
  private final AtomicInteger calls = new AtomicInteger();
  private volatile boolean isHit;

  private FaultInTurn(int failing) {
    this.failing = failing;
  }

  /** Fails nothing. */
  public static FaultInTurn none() {
    return new FaultInTurn(-1);
  }

  /**
   * Runs the program as often as it has calls that can fail, and once more without a fault.
   *
   * @return how many calls have failed
   */
  public static int sweep(Consumer<FaultInTurn> program) {
    for (int failing = 0;; failing++) {
      var fault = new FaultInTurn(failing);
      try {
        program.accept(fault);
      } catch (RuntimeException | Error e) {
        throw new AssertionError("call " + failing + " failed, and the program did not survive it", e);
      }
      if (!fault.isHit) {
        return failing;
      }
    }
  }

  /** Counts a call of the outside world; true for the one that fails. */
  public boolean isNow() {
    boolean is = calls.getAndIncrement() == failing;
    if (is) {
      isHit = true;
    }
    return is;
  }

  /** Counts a call, and throws at the one that fails. */
  public void pass() {
    if (isNow()) {
      throw new IllegalStateException(PLANTED);
    }
  }

  /** As {@link #pass}, for a call of a file. */
  public void passFile() throws IOException {
    if (isNow()) {
      throw new IOException(PLANTED);
    }
  }

  /** Whether the call that fails has been made. */
  public boolean isHit() {
    return isHit;
  }

  /** Does a step of the program; where the fault ended it, it is done again, and must succeed. */
  public <T> T survived(Supplier<T> step) {
    boolean wasHit = isHit;
    try {
      return step.get();
    } catch (RuntimeException | Error e) {
      if (wasHit || !isHit) {
        throw e;
      }
      return step.get();
    }
  }

  /** As {@link #survived(Supplier)}. */
  public void survived(Runnable step) {
    boolean _ = survived(() -> {
      step.run();
      return true;
    });
  }
}
