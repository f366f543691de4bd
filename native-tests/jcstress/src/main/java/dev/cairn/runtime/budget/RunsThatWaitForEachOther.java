package dev.cairn.runtime.budget;

import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.bfc.BfcAllocator;
import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.source.FakeSubAllocator;
import dev.cairn.runtime.executor.RunLimit;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** Two runs hold half of a budget each, and a run inside of each wants a half more. */
@JCStressTest
@Outcome(id = {"1, 1, 2", "0, 1, 2", "1, 0, 2"}, expect = Expect.ACCEPTABLE, desc = "one is refused at most")
@Outcome(expect = Expect.FORBIDDEN, desc = "both are refused, or a half is lost")
@State
public class RunsThatWaitForEachOther {
  @SuppressWarnings("StaticAssignmentOfThrowable") // its stack trace is not read
  private static final OutOfMemory REFUSAL = refusal();

  private final MemoryQueue queue = new MemoryQueue();
  private final AtomicInteger halves = new AtomicInteger(2);
  private final MemoryQueue.Request<Integer> request = new MemoryQueue.Request<>((Supplier<Integer>) this::take, List
    .of(), Duration.ZERO, RunLimit.NONE);

  private static OutOfMemory refusal() {
    try (var none = new BfcAllocator(FakeSubAllocator.scattered(0), BfcOptions.DEFAULT)) {
      none.free(none.allocate(AllocationRequest.of(1)));
    } catch (OutOfMemory e) {
      return e;
    }
    throw new AssertionError("memory where there is none");
  }

  private int take() {
    int left = halves.getAndUpdate(it -> Math.max(0, it - 1));
    if (left == 0) {
      throw REFUSAL;
    }
    return left;
  }

  private void giveBack() {
    halves.incrementAndGet();
    queue.end();
  }

  /** Whether the run inside had its memory; 2 if the outer one had none. */
  private int runs() {
    try {
      int _ = queue.begin(request);
    } catch (OutOfMemory e) {
      return 2;
    }
    try {
      int _ = queue.begin(request);
      giveBack();
      return 1;
    } catch (OutOfMemory e) {
      return 0;
    } finally {
      giveBack();
    }
  }

  @Actor
  public void one(III_Result result) {
    result.r1 = runs();
  }

  @Actor
  public void two(III_Result result) {
    result.r2 = runs();
  }

  @Arbiter
  public void end(III_Result result) {
    result.r3 = halves.get();
  }
}
