package dev.cairn.runtime.engine.queue;

import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Two threads offer a block and take one: each block comes out once, and an offered one is never overlooked. */
@JCStressTest
@Outcome(id = "2, 1", expect = Expect.ACCEPTABLE, desc = "each once, and both found one")
@Outcome(expect = Expect.FORBIDDEN, desc = "lost, taken twice, or overlooked")
@State
public class ReadyQueueLosesNothing {
  private final ReadyQueue queue = ReadyQueue.inOrder(false);
  private final OperationBlock first = OperationBlock.stub();
  private final OperationBlock second = OperationBlock.stub();
  private @Nullable OperationBlock takenByOne;
  private @Nullable OperationBlock takenByTwo;

  @Actor
  public void one() {
    queue.offer(first);
    takenByOne = queue.poll();
  }

  @Actor
  public void two() {
    queue.offer(second);
    takenByTwo = queue.poll();
  }

  /** How many came out; 1 when both threads found one, and not the same. */
  @Arbiter
  public void end(II_Result result) {
    int left = 0;
    while (queue.poll() != null) {
      left++;
    }
    result.r1 = (takenByOne == null ? 0 : 1) + (takenByTwo == null ? 0 : 1) + left;
    result.r2 = takenByOne != null && takenByTwo != null && !takenByOne.equals(takenByTwo) ? 1 : 0;
  }
}
