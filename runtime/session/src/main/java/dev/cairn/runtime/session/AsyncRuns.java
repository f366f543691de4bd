package dev.cairn.runtime.session;

import dev.cairn.runtime.executor.RunLimit;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.TensorMemory;
import dev.cairn.runtime.value.Value;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;

/**
 * Runs that go on while their callers do something else, on threads of their own, which end when they have had nothing
 * to do for a while. Thread-safe.
 */
final class AsyncRuns implements AutoCloseable {
  private static final long IDLE_SECONDS = 10;

  private final ThreadPoolExecutor threads;
  private final LongSupplier clock;

  /**
   * @param most how many runs may be under way at a time; further ones wait
   * @param clock of deadlines
   */
  AsyncRuns(int most, LongSupplier clock) {
    this.clock = clock;
    threads = new ThreadPoolExecutor(most, most, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), Thread
      .ofPlatform().daemon().name("cairn-run-", 0).factory());
    threads.allowCoreThreadTimeOut(true);
  }

  /**
   * Starts a run whose time begins now, and keeps its inputs from being closed until it has ended.
   *
   * @param run what the run does
   */
  RunFuture start(Map<String, ? extends Value> inputs, RunOptions how,
    BiFunction<RunLimit, Map<String, ? extends Value>, Result> run) {
    var future = new RunFuture();
    RunLimit limit = how.limitFromNow(future.cancellation(), clock);
    Map<String, ? extends Value> given = Map.copyOf(inputs);
    List<TensorMemory> held = given.values().stream().flatMap(it -> it.tensors().stream()).map(
      TensorMemory::of).toList();
    TensorMemory.holdAll(held);
    boolean isStarted = false;
    try {
      // A session that is being closed meanwhile takes no runs.
      threads.execute(() -> {
        try {
          Result result;
          try {
            result = run.apply(limit, given);
          } finally {
            // The use ends before the future is done: then the caller may close the tensors.
            held.forEach(TensorMemory::endUse);
          }
          future.settle(result);
        } catch (RuntimeException | Error e) {
          future.completeExceptionally(e);
        }
      });
      isStarted = true;
    } catch (RejectedExecutionException e) {
      throw new IllegalStateException("already closed: the session takes no more runs", e);
    } finally {
      if (!isStarted) {
        held.forEach(TensorMemory::endUse);
      }
    }
    return future;
  }

  /** Runs that have not begun yet fail: their session is closed. */
  @Override
  public void close() {
    threads.shutdown();
  }
}
