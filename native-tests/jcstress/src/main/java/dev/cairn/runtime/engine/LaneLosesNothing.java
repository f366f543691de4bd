package dev.cairn.runtime.engine;

import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Two threads put, two take: each block comes out once, and an offered one is never overlooked. */
@JCStressTest
@Outcome(id = "2, 1", expect = Expect.ACCEPTABLE, desc = "each once")
@Outcome(expect = Expect.FORBIDDEN, desc = "lost, or taken twice")
@State
public class LaneLosesNothing {
  private final Lane lane = new Lane(Block.stub(), false);
  private final Block first = Block.stub();
  private final Block second = Block.stub();
  private @Nullable Block takenByOne;
  private @Nullable Block takenByTwo;

  @Actor
  public void putOne() {
    lane.put(first);
  }

  @Actor
  public void putTwo() {
    lane.put(second);
  }

  @Actor
  public void takeOne() {
    takenByOne = lane.take();
  }

  @Actor
  public void takeTwo() {
    takenByTwo = lane.take();
  }

  /** How many came out, with what is still in; whether they differ. */
  @Arbiter
  public void end(II_Result result) {
    int count = (takenByOne == null ? 0 : 1) + (takenByTwo == null ? 0 : 1);
    for (Block left = lane.take(); left != null; left = lane.take()) {
      count++;
    }
    result.r1 = count;
    result.r2 = takenByOne != null && takenByOne.equals(takenByTwo) ? 0 : 1;
  }
}
