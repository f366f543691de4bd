package dev.cairn.runtime.engine.queue;

import java.util.List;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Two operations over the same two variables, pushed at a time, and a third over one of these. */
@JCStressTest
@Outcome(id = "2, 1", expect = Expect.ACCEPTABLE, desc = "both have run, one after the other, and the third")
@Outcome(expect = Expect.FORBIDDEN, desc = "each waits for the other, or they ran at a time")
@State
public class PushesOverTwoVariables {
  private final Variable a = Runs.VARIABLES.make("a");
  private final Variable b = Runs.VARIABLES.make("b");
  private int both;
  private int alone;

  @Actor
  public void forth() {
    Runs.push(Runs.blockOf(Footprint.of(List.of(), List.of(a, b)), () -> both++));
  }

  @Actor
  public void back() {
    Runs.push(Runs.blockOf(Footprint.of(List.of(), List.of(b, a)), () -> both++));
    Runs.push(Runs.blockOf(Footprint.writing(b), () -> alone++));
  }

  /** How many have run. */
  @Arbiter
  public void end(II_Result result) {
    result.r1 = both;
    result.r2 = alone;
  }
}
