package dev.cairn.runtime.engine.worker;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Mode;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.Signal;
import org.openjdk.jcstress.annotations.State;

/** A thread goes to sleep until all has ended, while the last operation ends. */
@JCStressTest(Mode.Termination)
@Outcome(id = "TERMINATED", expect = Expect.ACCEPTABLE, desc = "woken")
@Outcome(id = "STALE", expect = Expect.FORBIDDEN, desc = "sleeps for ever")
@State
public class WaitForAllIsWoken {
  private final PushCounter progress = new PushCounter();

  /** One operation is under way. */
  public WaitForAllIsWoken() {
    progress.begin();
  }

  @Actor
  public void waits() {
    progress.awaitQuiet(SpinThenSleep.endless(0));
  }

  @Signal
  public void ends() {
    progress.end();
  }
}
