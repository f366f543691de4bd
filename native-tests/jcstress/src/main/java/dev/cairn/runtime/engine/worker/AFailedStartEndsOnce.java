package dev.cairn.runtime.engine.worker;

import dev.cairn.runtime.engine.queue.Footprint;
import dev.cairn.runtime.engine.queue.Operation;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Asynchronous work reports its end, while its start throws on the engine's thread, which then ends the work itself.
 */
@JCStressTest
@Outcome(id = {"1, 1", "0, 1"}, expect = Expect.ACCEPTABLE, desc = "it ends once, by one of the two")
@Outcome(expect = Expect.FORBIDDEN, desc = "it never ends, so that its variables stay locked, or ends twice")
@State
public class AFailedStartEndsOnce {
  private final AtomicInteger ends = new AtomicInteger();
  private final AsyncBlock block = new AsyncBlock(Operation.of("async", Footprint.NONE, () -> {}), 0, new Counted());

  /** The work is under way. */
  public AFailedStartEndsOnce() {
    block.start();
  }

  private final class Counted implements AsyncBlock.Ends {
    @Override
    public void touches(AsyncBlock of) {}

    @Override
    public void ended(AsyncBlock of, @Nullable Throwable cause) {
      ends.incrementAndGet();
    }
  }

  @Actor
  public void reports(II_Result result) {
    try {
      block.complete();
      result.r1 = 1;
    } catch (IllegalStateException e) {
      result.r1 = 0;
    }
  }

  @Actor
  public void startThrows() {
    if (block.tryEnd()) {
      ends.incrementAndGet();
    }
  }

  @Arbiter
  public void end(II_Result result) {
    result.r2 = ends.get();
  }
}
