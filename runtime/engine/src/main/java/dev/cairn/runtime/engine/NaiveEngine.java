package dev.cairn.runtime.engine;

import dev.cairn.kernels.device.Stream;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Runs each operation at once on the thread that pushes it, until it has ended: a failure is thrown by the push that
 * caused it, and there is never anything to wait for. Several threads may push at a time, as long as their operations
 * touch different variables.
 */
final class NaiveEngine implements Engine {
  private final EngineOptions options;
  private final Variables variables = new Variables();
  private final Failures failures = new Failures();
  private final OperationRunner runner = new OperationRunner(failures);
  private final Lifecycle lifecycle = new Lifecycle();
  private final PushCounter progress = new PushCounter();
  private final OperationDepth inside = new OperationDepth();
  /** One of each engine: threads use several. */
  @SuppressWarnings("ThreadLocalUsage")
  private final ThreadLocal<Integer> bulkSizes = ThreadLocal.withInitial(() -> 0);

  NaiveEngine(EngineOptions options) {
    this.options = options;
  }

  @Override
  public Variable newVariable(String name) {
    return variables.make(name);
  }

  /** @throws OperationFailed what the operation threw; its variables count as written all the same */
  @Override
  public void push(Operation operation) {
    options.requireDevice(operation);
    variables.requireUsable(operation);
    progress.begin();
    if (!lifecycle.isRunning() && !(inside.isInside() && !lifecycle.isStopped())) {
      progress.end();
      throw lifecycle.refusal(operation);
    }
    runBegun(options.captureSites() ? operation.atIfUnknown() : operation);
  }

  private void run(Operation operation) {
    progress.begin();
    runBegun(operation);
  }

  private void runBegun(Operation operation) {
    if (inside.isDeepest()) {
      inside.runLater(() -> runCounted(operation));
      return;
    }
    FailureRecord failure = runCounted(operation);
    if (failure != null) {
      failures.tell(failure);
      throw failure.thrown();
    }
  }

  /** Returns its own failure. */
  private @Nullable FailureRecord runCounted(Operation operation) {
    var failed = new @Nullable FailureRecord[1];
    inside.run(() -> {
      try {
        failed[0] = switch (operation.work()) {
          case AsyncBody body -> runAsync(operation, body);
          case StreamBody body -> runner.run(operation, () -> runOnStream(operation.place(), body));
          default -> runner.run(operation, operation.work());
        };
        operation.footprint().countWrites();
      } finally {
        progress.end();
        inside.runWhatIsLater();
      }
    });
    return failed[0];
  }

  private void runOnStream(ExecutionPlace place, StreamBody body) {
    Stream stream = options.devices().get(place.index()).defaultStream();
    synchronized (stream) {
      stream.submit(() -> body.work().run(stream));
      stream.synchronize();
    }
  }

  private @Nullable FailureRecord runAsync(Operation operation, AsyncBody body) {
    var completion = new AwaitedCompletion(operation);
    boolean started = runner.start(operation, body, completion, cause -> {
      if (!completion.tryEnd(cause)) {
        runner.writeDown(operation, cause);
      }
    });
    return started ? runner.ended(operation, completion.await(SpinThenSleep.endless(options.spinNanos()))) : null;
  }

  /** Deletes the variable, even after the engine was stopped. */
  @Override
  public void deleteVariable(Variable variable, ExecutionPlace place, Runnable work) {
    var operation = new Operation("delete " + variable.name(), Footprint.writing(variable), new DeleteBody(variable,
      work), Traits.DELETE.withPlace(place));
    options.requireDevice(operation);
    variables.requireOwn(operation);
    variable.delete();
    run(operation);
  }

  @Override
  public void deleteOperation(Operation operation, Runnable work) {
    variables.requireOwn(operation);
    run(operation.deleting(work));
  }

  @Override
  public void waitForVariable(Variable variable) {
    variables.requireOwn(variable, "wait");
    if (inside.isInside()) {
      throw OperationDepth.refusal(variable);
    }
    failures.throwIfPoisoned(variable);
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
  public void throwIfFailed(Variable variable) {
    failures.throwIfPoisoned(variable);
  }

  @Override
  public long pending() {
    return progress.pending();
  }

  @Override
  public boolean isInsideOperation() {
    return inside.isInside();
  }

  /** Remembers the size and nothing else: each operation runs at once. */
  @Override
  public int bulkSize(int operations) {
    if (operations < 0) {
      throw new IllegalArgumentException("out of range: operations=" + operations);
    }
    int before = bulkSizes.get();
    bulkSizes.set(operations);
    return before;
  }

  @Override
  public void shutdown() {
    runner.skipAll(true);
  }

  @Override
  public void stop() {
    if (inside.isInside()) {
      return;
    }
    synchronized (lifecycle) {
      if (!lifecycle.isStopped()) {
        lifecycle.stopping();
        progress.awaitQuiet(SpinThenSleep.endless(options.spinNanos()));
        lifecycle.stopped();
      }
    }
  }

  @Override
  public void start() {
    if (!lifecycle.isStopped()) {
      // A stop may have the lock, and wait for an operation that waits for this thread: this came before it, then.
      runner.skipAll(false);
      return;
    }
    synchronized (lifecycle) {
      lifecycle.running();
      runner.skipAll(false);
    }
  }

  @Override
  public void close() {
    if (inside.isInside()) {
      throw OperationDepth.closeRefusal();
    }
    stop();
    synchronized (lifecycle) {
      lifecycle.closed();
    }
  }
}
