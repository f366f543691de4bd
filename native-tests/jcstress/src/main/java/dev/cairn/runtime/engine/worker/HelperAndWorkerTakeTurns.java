package dev.cairn.runtime.engine.worker;

import dev.cairn.runtime.engine.queue.OperationBlock;
import dev.cairn.runtime.engine.queue.ReadyQueue;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * A lone worker and a thread that waits take blocks of one queue, while a third puts two: each comes out once, one runs
 * at a time, and one of the three sees what is left: the worker, which finds the queue taken, leaves it to the helper.
 */
@JCStressTest
@Outcome(id = "2, 0, 1", expect = Expect.ACCEPTABLE, desc = "each once, alone, and nothing forgotten")
@Outcome(expect = Expect.FORBIDDEN, desc = "lost, taken twice, at the same time, or forgotten")
@State
public class HelperAndWorkerTakeTurns {
  private final ReadyQueue queue = ReadyQueue.inOrder(true);
  private final WorkerGroup group = new WorkerGroup("stress", 1, queue, new NoTaker(), new IdlePolicy(0, 0), _ -> {});
  private final OperationBlock first = OperationBlock.stub();
  private final OperationBlock second = OperationBlock.stub();
  /** Only the thread that has its turn uses it: no field of these is volatile. */
  private int running;
  private int ran;
  private int overlaps;
  private boolean seenByPusher;
  private boolean seenByWorker;
  private boolean seenByHelper;

  /** The actors run the blocks themselves. */
  private static final class NoTaker implements BlockTaker {
    @Override
    public void run(OperationBlock block) {}

    @Override
    public void refuse(OperationBlock block, Throwable cause) {}

    @Override
    public void report(OperationBlock block, Throwable error) {}
  }

  @Actor
  public void pusher() {
    group.offer(first);
    group.offer(second);
    seenByPusher = !group.isTaken();
  }

  @Actor
  public void worker() {
    for (OperationBlock block = group.take(); block != null; block = group.takeNext()) {
      run(block);
    }
    seenByWorker = !queue.isEmpty() && !group.isTaken();
  }

  @Actor
  public void helper() {
    group.help(() -> false, _ -> true, this::run);
    seenByHelper = !queue.isEmpty();
  }

  private void run(@Nullable OperationBlock block) {
    overlaps += running;
    running++;
    ran += block == null ? 0 : 1;
    running--;
  }

  @Arbiter
  public void end(III_Result result) {
    int left = 0;
    for (OperationBlock block = group.take(); block != null; block = group.takeNext()) {
      left++;
    }
    result.r1 = ran + left;
    result.r2 = overlaps;
    result.r3 = left == 0 || seenByPusher || seenByWorker || seenByHelper ? 1 : 0;
  }
}
