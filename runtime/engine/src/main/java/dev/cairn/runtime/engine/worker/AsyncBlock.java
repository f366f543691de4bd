package dev.cairn.runtime.engine.worker;

import dev.cairn.runtime.engine.queue.Completion;
import dev.cairn.runtime.engine.queue.Operation;
import dev.cairn.runtime.engine.queue.OperationBlock;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** One push of asynchronous work, which reports its progress. Only its first end counts. */
public final class AsyncBlock extends OperationBlock implements Completion {
  private enum Stage {
    PUSHED,
    STARTED,
    ENDED
  }

  private final Ends ends;
  private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.PUSHED);

  /** Follows the work. */
  public interface Ends {
    /** It is about to touch what its variables stand for; returns when it may. */
    void touches(AsyncBlock block);

    /** It has ended; called once. */
    void ended(AsyncBlock block, @Nullable Throwable cause);
  }

  public AsyncBlock(Operation operation, int number, Ends ends) {
    super(operation, number);
    this.ends = ends;
  }

  /** From here on the work may report its end. */
  public void start() {
    stage.set(Stage.STARTED);
  }

  /** True for the first caller after {@link #start}. */
  public boolean tryEnd() {
    return stage.compareAndSet(Stage.STARTED, Stage.ENDED);
  }

  @Override
  public void started() {
    if (stage.get() == Stage.ENDED) {
      throw new IllegalStateException("started after its end: operation=" + operation().name());
    }
    ends.touches(this);
  }

  @Override
  public void complete() {
    end(null);
  }

  @Override
  public void fail(Throwable cause) {
    end(cause);
  }

  private void end(@Nullable Throwable cause) {
    if (!tryEnd()) {
      throw new IllegalStateException("completed twice: operation=%s site=%s".formatted(operation().name(),
        operation().site()));
    }
    ends.ended(this, cause);
  }
}
