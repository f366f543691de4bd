package dev.cairn.runtime.engine.queue;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Two threads write one variable, one twice: no write is lost, as each is alone, and it is free in the end. */
@JCStressTest
@Outcome(id = "3, 3", expect = Expect.ACCEPTABLE, desc = "each alone, and all have run")
@Outcome(expect = Expect.FORBIDDEN, desc = "two at a time, or one forgotten")
@State
public class WritersTakeTurns {
  private final Variable variable = Runs.VARIABLES.make("v");
  private int writes;

  private void write() {
    Runs.push(Runs.blockOf(Footprint.writing(variable), () -> writes++));
  }

  @Actor
  public void one() {
    write();
  }

  @Actor
  public void two() {
    write();
    write();
  }

  /** In the end; a variable that is not free has a write. */
  @Arbiter
  public void end(II_Result result) {
    result.r1 = writes;
    result.r2 = variable.hasWrite() ? -1 : (int) variable.version();
  }
}
