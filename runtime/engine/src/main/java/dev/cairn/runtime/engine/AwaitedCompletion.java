package dev.cairn.runtime.engine;

import dev.cairn.runtime.engine.queue.Completion;
import dev.cairn.runtime.engine.queue.Operation;
import dev.cairn.runtime.engine.worker.SpinThenSleep;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The completion of work that the thread that made it waits for. */
final class AwaitedCompletion implements Completion {
  private final Operation operation;
  private final Thread waiter = Thread.currentThread();
  /** Null until the end; then what it failed with, if anything. */
  private final AtomicReference<@Nullable Optional<Throwable>> end = new AtomicReference<>();

  AwaitedCompletion(Operation operation) {
    this.operation = operation;
  }

  /** Returns what the work failed with. */
  @Nullable
  Throwable await(SpinThenSleep patience) {
    patience.until(() -> end.get() != null);
    Optional<Throwable> cause = end.get();
    return cause == null ? null : cause.orElse(null);
  }

  /** True for the one who ends it. */
  boolean tryEnd(@Nullable Throwable cause) {
    boolean isFirst = end.compareAndSet(null, Optional.ofNullable(cause));
    LockSupport.unpark(waiter);
    return isFirst;
  }

  @Override
  public void started() {
    if (end.get() != null) {
      throw new IllegalStateException("started after its end: operation=" + operation.name());
    }
  }

  @Override
  public void complete() {
    endOnce(null);
  }

  @Override
  public void fail(Throwable cause) {
    endOnce(cause);
  }

  private void endOnce(@Nullable Throwable cause) {
    if (!tryEnd(cause)) {
      throw new IllegalStateException("completed twice: operation=%s site=%s".formatted(operation.name(),
        operation.site()));
    }
  }
}
