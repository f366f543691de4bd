package dev.cairn.runtime.engine;

import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Two threads put a block each, and one of them, the only taker, looks twice: each block comes out once, and what it
 * overlooks while a put is under way is found when all is quiet; until then the lane is not empty.
 */
@JCStressTest
@Outcome(id = "2, 1", expect = Expect.ACCEPTABLE, desc = "each once, and empty only when both are out")
@Outcome(expect = Expect.FORBIDDEN, desc = "lost, taken twice, or said to be empty")
@State
public class LaneOfOneTakerLosesNothing {
  private final Lane lane = new Lane(OperationBlock.stub(), true);
  private final OperationBlock first = OperationBlock.stub();
  private final OperationBlock second = OperationBlock.stub();
  private @Nullable OperationBlock once;
  private @Nullable OperationBlock twice;

  @Actor
  public void one() {
    lane.put(first);
  }

  /** Behind the other one, it may be, whose put is under way. */
  @Actor
  public void two() {
    lane.put(second);
    once = lane.take();
    twice = lane.take();
  }

  /** How many came out; 1 when they are not the same, and the lane is empty only when both are out. */
  @Arbiter
  public void end(II_Result result) {
    int taken = (once == null ? 0 : 1) + (twice == null ? 0 : 1);
    boolean isRight = lane.isEmpty() == (taken == 2) && (once == null || !once.equals(twice));
    int left = 0;
    while (lane.take() != null) {
      left++;
    }
    result.r1 = taken + left;
    result.r2 = isRight && lane.isEmpty() ? 1 : 0;
  }
}
