package dev.cairn.kernels.cpu.team;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** A body throws what no method declares, on the caller or on a helper. */
@JCStressTest
@Outcome(id = "1, 0, 1", expect = Expect.ACCEPTABLE, desc = "the caller gets it, when no range is under way any more")
@Outcome(expect = Expect.FORBIDDEN, desc = "lost, thrown while a helper works, or it ended the helper")
@State
public class AFailingLoopEndsWhole {
  private final AtomicInteger underWay = new AtomicInteger();
  private final Loop loop = Loop.of(8, 1, 2, this::body);

  private void body(long first, long end) {
    underWay.incrementAndGet();
    try {
      if (first == 0) {
        throw sneaky(new Exception("planted"));
      }
    } finally {
      underWay.decrementAndGet();
    }
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the compiler believes it
  private static <E extends Exception> E sneaky(Exception failure) throws E {
    throw (E) failure;
  }

  @Actor
  public void caller(III_Result result) {
    loop.runOnCaller();
    loop.awaitHelpers();
    result.r2 = underWay.get();
    try {
      loop.throwFailure();
    } catch (Throwable e) {
      result.r1 = 1;
    }
  }

  @Actor
  public void helper(III_Result result) {
    try {
      boolean _ = loop.help();
      result.r3 = 1;
    } catch (Throwable e) {
      result.r3 = 2;
    }
  }
}
