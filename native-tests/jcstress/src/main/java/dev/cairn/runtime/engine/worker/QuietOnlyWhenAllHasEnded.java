package dev.cairn.runtime.engine.worker;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Operations that push another before they end, so that there is never nothing to do: no thread may conclude so. */
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "never quiet")
@Outcome(expect = Expect.FORBIDDEN, desc = "an end was counted before a beginning")
@State
public class QuietOnlyWhenAllHasEnded {
  private final PushCounter progress = new PushCounter();

  /** One operation is under way. */
  public QuietOnlyWhenAllHasEnded() {
    progress.begin();
  }

  private void pushAnotherAndEnd() {
    progress.begin();
    progress.end();
  }

  @Actor
  public void work() {
    pushAnotherAndEnd();
    pushAnotherAndEnd();
  }

  @Actor
  public void look(II_Result result) {
    result.r1 = progress.isQuiet() ? 1 : 0;
    result.r2 = progress.isQuiet() ? 1 : 0;
  }
}
