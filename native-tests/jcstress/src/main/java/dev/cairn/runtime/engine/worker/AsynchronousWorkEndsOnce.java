package dev.cairn.runtime.engine.worker;

import dev.cairn.runtime.engine.queue.Footprint;
import dev.cairn.runtime.engine.queue.Operation;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Two threads report the end of the same work: one report counts, the other is refused. */
@JCStressTest
@Outcome(id = {"1, 0", "0, 1"}, expect = Expect.ACCEPTABLE, desc = "one of them")
@Outcome(expect = Expect.FORBIDDEN, desc = "both, or neither")
@State
public class AsynchronousWorkEndsOnce {
  private final AsyncBlock block = new AsyncBlock(Operation.of("async", Footprint.NONE, () -> {}), 0, new Unheard());

  /** The work is under way. */
  public AsynchronousWorkEndsOnce() {
    block.start();
  }

  private static final class Unheard implements AsyncBlock.Ends {
    @Override
    public void touches(AsyncBlock block) {}

    @Override
    public void ended(AsyncBlock block, @Nullable Throwable cause) {}
  }

  @Actor
  public void one(II_Result result) {
    result.r1 = isHeard();
  }

  @Actor
  public void two(II_Result result) {
    result.r2 = isHeard();
  }

  private int isHeard() {
    try {
      block.complete();
      return 1;
    } catch (IllegalStateException e) {
      return 0;
    }
  }
}
