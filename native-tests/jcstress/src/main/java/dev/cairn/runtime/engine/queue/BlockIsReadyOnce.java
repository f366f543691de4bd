package dev.cairn.runtime.engine.queue;

import java.util.List;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** A block waits for two variables, which get free while it is being pushed: it runs once. */
@JCStressTest
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "one of the two has run it")
@Outcome(expect = Expect.FORBIDDEN, desc = "forgotten, or run twice")
@State
public class BlockIsReadyOnce {
  private final Variable a = Runs.VARIABLES.make("a");
  private final Variable b = Runs.VARIABLES.make("b");
  private final OperationBlock holdsA = Runs.blockOf(Footprint.writing(a), () -> {});
  private final OperationBlock holdsB = Runs.blockOf(Footprint.writing(b), () -> {});
  private int runs;

  /** Both variables are held. */
  public BlockIsReadyOnce() {
    holdsA.enqueue();
    holdsB.enqueue();
  }

  @Actor
  public void push() {
    Runs.push(Runs.blockOf(Footprint.of(List.of(a), List.of(b)), () -> runs++));
  }

  @Actor
  public void endBoth() {
    Runs.run(holdsA);
    Runs.run(holdsB);
  }

  /** How often it has run. */
  @Arbiter
  public void end(I_Result result) {
    result.r1 = runs;
  }
}
