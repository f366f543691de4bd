package dev.cairn.runtime.engine;

import dev.cairn.kernels.device.Stream;
import dev.cairn.runtime.engine.failure.FailureRecord;
import dev.cairn.runtime.engine.failure.OperationFailed;
import dev.cairn.runtime.engine.queue.AsyncBody;
import dev.cairn.runtime.engine.queue.BulkFusion;
import dev.cairn.runtime.engine.queue.ExecutionPlace;
import dev.cairn.runtime.engine.queue.FunctionProperty;
import dev.cairn.runtime.engine.queue.Operation;
import dev.cairn.runtime.engine.queue.StreamBody;
import dev.cairn.runtime.engine.queue.Variable;
import dev.cairn.runtime.engine.worker.AsyncBlock;
import dev.cairn.runtime.engine.worker.OperationDepth;
import dev.cairn.runtime.engine.worker.SpinThenSleep;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Runs each operation at once on the thread that pushes it, until it has ended: a failure is thrown by the push that
 * caused it, and there is never anything to wait for. Several threads may push at a time, as long as their operations
 * touch different variables.
 */
final class NaiveEngine extends StartableEngine {
  /** One of each engine: threads use several. */
  @SuppressWarnings("ThreadLocalUsage")
  private final ThreadLocal<Integer> bulkSizes = ThreadLocal.withInitial(() -> 0);

  NaiveEngine(EngineOptions options) {
    this(options, new OperationDepth());
  }

  NaiveEngine(EngineOptions options, OperationDepth inside) {
    super(options, inside);
  }

  /** @throws OperationFailed what the operation threw; its variables count as written all the same */
  @Override
  public void push(Operation operation) {
    var turn = new Turn(checked(operation));
    progress.begin();
    boolean isTaken = false;
    try {
      isTaken = lifecycle.isRunning() || (inside.isInside() && !lifecycle.isStopped());
    } finally {
      if (!isTaken) {
        progress.end();
      }
    }
    if (!isTaken) {
      throw lifecycle.refusal(operation);
    }
    run(turn);
  }

  /** For a turn that counts as begun. */
  private void run(Turn turn) {
    boolean isLater = false;
    try {
      if (inside.isDeepest()) {
        inside.runLater(() -> begin(turn));
        isLater = true;
      }
    } catch (Throwable e) {
      turn.endUnbegun(e);
      throw e;
    }
    if (!isLater) {
      begin(turn);
      FailureRecord failure = turn.failure;
      if (failure != null) {
        failures.tell(failure);
        throw failure.thrown();
      }
    }
  }

  private void begin(Turn turn) {
    try {
      inside.run(turn);
    } catch (Throwable e) {
      if (turn.begun) {
        throw e;
      }
      turn.endUnbegun(e);
    }
  }

  /** One push under way. */
  private final class Turn implements Runnable {
    private final Operation operation;
    private boolean begun;
    private @Nullable FailureRecord failure;

    Turn(Operation operation) {
      this.operation = operation;
    }

    @Override
    public void run() {
      begun = true;
      try {
        failure = switch (operation.work()) {
          case AsyncBody body -> runAsync(operation, body);
          case StreamBody body -> runner.run(operation, () -> runOnStream(operation.place(), body));
          default -> runner.run(operation, operation.work());
        };
        operation.footprint().countWrites();
      } finally {
        progress.end();
        inside.runWhatIsLater();
      }
    }

    /** The heap has no room to begin. A delete always runs. */
    void endUnbegun(Throwable cause) {
      try {
        failure = operation.property() == FunctionProperty.DELETE
          ? runner.run(operation, operation.work())
          : runner.failed(operation, cause);
        operation.footprint().countWrites();
      } finally {
        progress.end();
      }
    }
  }

  private void runOnStream(ExecutionPlace place, StreamBody body) {
    Stream stream = options.devices().get(place.index()).defaultStream();
    synchronized (stream) {
      stream.submit(() -> body.work().run(stream));
      stream.synchronize();
    }
  }

  private @Nullable FailureRecord runAsync(Operation operation, AsyncBody body) {
    if (runner.skips(operation)) {
      return null;
    }
    var end = new AwaitedEnd();
    var block = new AsyncBlock(operation, 0, end);
    block.start();
    try {
      body.work().start(block);
    } catch (Throwable e) {
      if (block.tryEnd()) {
        end.ended(block, e);
      } else {
        runner.writeDown(operation, e);
      }
    }
    SpinThenSleep.endless(options.spinNanos()).until(() -> end.isOver);
    return runner.ended(operation, end.cause);
  }

  /** Asynchronous work for whose end its pusher waits. */
  private static final class AwaitedEnd implements AsyncBlock.Ends {
    private final Thread waiter = Thread.currentThread();
    private @Nullable Throwable cause;
    private volatile boolean isOver;

    @Override
    public void touches(AsyncBlock block) {}

    @Override
    public void ended(AsyncBlock block, @Nullable Throwable why) {
      cause = why;
      isOver = true;
      LockSupport.unpark(waiter);
    }
  }

  /** Deletes the variable, even after the engine was stopped. */
  @Override
  public void deleteVariable(Variable variable, ExecutionPlace place, Runnable work) {
    Operation operation = Operation.deleting(variable, place, work);
    options.requireDevice(operation);
    variables.requireOwn(operation);
    var turn = new Turn(operation);
    variable.delete();
    progress.begin();
    run(turn);
  }

  @Override
  public void deleteOperation(Operation operation, Runnable work) {
    variables.requireOwn(operation);
    var turn = new Turn(operation.deleting(work));
    progress.begin();
    run(turn);
  }

  @Override
  public void waitForVariable(Variable variable) {
    variables.requireOwn(variable, "wait");
    if (inside.isInside()) {
      throw OperationDepth.refusal(variable);
    }
    throwIfFailed(variable);
  }

  @Override
  public void waitForVariable(Variable variable, Duration patience) throws TimeoutException {
    waitForVariable(variable);
  }

  @Override
  public void waitForAll() {
    if (inside.isInside()) {
      throw OperationDepth.refusal("all");
    }
    failures.throwAll();
  }

  @Override
  public void waitForAll(Duration patience) throws TimeoutException {
    waitForAll();
  }

  @Override
  public boolean isInsideOperation() {
    return inside.isInside();
  }

  /** Remembers the size and nothing else: each operation runs at once. */
  @Override
  public int bulkSize(int operations, @Nullable BulkFusion fusion) {
    if (operations < 0) {
      throw new IllegalArgumentException("out of range: operations=" + operations);
    }
    int before = bulkSizes.get();
    bulkSizes.set(operations);
    return before;
  }

  @Override
  void flush() {}

  @Override
  void awaitQuiet() {
    progress.awaitQuiet(SpinThenSleep.endless(options.spinNanos()));
  }

  @Override
  void endThreads() {}
}
