package dev.cairn.runtime.engine;

import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/**
 * An engine whose operations run on threads of their own, as its routing says. A push takes its place at all its
 * variables in one step; the thread that ends the last operation before it hands it on.
 */
final class ThreadedEngine implements Engine {
  private static final long LOOK_AGAIN_NANOS = 50_000;

  private final EngineOptions options;
  private final Routing routing;
  private final Variables variables = new Variables();
  private final Failures failures = new Failures();
  private final OperationRunner runner = new OperationRunner(failures);
  private final PushCounter progress = new PushCounter();
  private final Lifecycle lifecycle = new Lifecycle();
  private final OperationDepth inside = new OperationDepth();
  private final Bulks bulks = new Bulks(runner, variables, this::pushNow);
  private final DeviceStreams streams;
  private final BlockRunner blocks;
  private final Dispatcher dispatcher;
  private final HelpingWaits waits;
  private final DeletesAtOnce atOnce;
  private final ShortRuns shorts;

  ThreadedEngine(EngineOptions options, Routing routing) {
    this.options = options;
    this.routing = routing;
    this.streams = new DeviceStreams(options);
    this.blocks = new BlockRunner(runner, streams, new StreamRunner(runner, inside, options.spinNanos()), inside,
      this::end);
    this.dispatcher = new Dispatcher(routing, blocks);
    this.waits = new HelpingWaits(routing, blocks, dispatcher, inside, bulks);
    this.atOnce = new DeletesAtOnce(routing, runner, progress, inside, dispatcher);
    this.shorts = new ShortRuns(routing, runner, progress, lifecycle, inside, dispatcher);
  }

  @Override
  public Variable newVariable(String name) {
    return variables.make(name);
  }

  @Override
  public void push(Operation operation) {
    options.requireDevice(operation);
    variables.requireUsable(operation);
    Operation told = options.captureSites() ? operation.atIfUnknown() : operation;
    if (!bulks.hold(told)) {
      pushNow(told);
    }
  }

  @Override
  public void pushSync(String name, Footprint footprint, Runnable work) {
    if (options.captureSites() || !bulks.hold(name, footprint, work)) {
      push(Operation.of(name, footprint, work));
    }
  }

  @Override
  public void pushShort(String name, Touched touched, Runnable work) {
    variables.requireUsable(name, touched);
    if (bulks.size() > 0 || !shorts.ran(name, touched, work, null)) {
      pushSync(name, touched.footprint(), work);
    }
  }

  @Override
  public void pushShort(Operation operation) {
    variables.requireUsable(operation);
    if (bulks.size() > 0 || !shorts.ran(operation)) {
      push(operation);
    }
  }

  private void pushNow(Operation operation) {
    if (!tryPush(operation)) {
      throw lifecycle.refusal(operation);
    }
  }

  /** False when the engine is stopped, or stops and this is not one of the operations it waits for. */
  private boolean tryPush(Operation operation) {
    OperationBlock block = blocks.newBlock(operation);
    progress.begin();
    if (!lifecycle.isRunning() && !lifecycle.stillTakes(operation, isInsideOperation())) {
      progress.end();
      return false;
    }
    waits.begin(operation);
    if (enqueue(block)) {
      // Too deep for the stack, its threads take it.
      if (dispatcher.runsOnPusher(operation) && !inside.isDeepest()) {
        inside.run(() -> blocks.run(block));
      } else {
        dispatcher.dispatch(block);
      }
    }
    return true;
  }

  private boolean enqueue(OperationBlock block) {
    try {
      return block.enqueue();
    } catch (Throwable e) {
      // A variable is deleted, or the heap has no room for its place in a line: it has not been pushed.
      waits.end(block.operation());
      progress.end();
      throw e;
    }
  }

  private void end(OperationBlock block) {
    dispatcher.leave(block);
    waits.end(block.operation());
    progress.end();
  }

  @Override
  public void deleteVariable(Variable variable, ExecutionPlace place, Runnable work) {
    variables.requireOwn(variable, "delete");
    options.requireDevice(place, "delete");
    try {
      bulks.flush();
    } finally {
      // What this thread held back was pushed before. It may be refused; the delete runs all the same.
      if (variable.delete()) {
        deleteNow(variable, place, work);
      } else {
        variables.deleteLater(variable, () -> deleteNow(variable, place, work));
      }
    }
  }

  private void deleteNow(Variable variable, ExecutionPlace place, Runnable work) {
    if (!atOnce.ran(variable, place, work)) {
      deleteInTurn(new DeleteBody(variable, work).operation(place));
    }
  }

  @Override
  public void deleteOperation(Operation operation, Runnable work) {
    variables.requireOwn(operation);
    try {
      bulks.flush();
    } finally {
      deleteInTurn(operation.deleting(work));
    }
  }

  private void deleteInTurn(Operation operation) {
    boolean isInterrupted = false;
    // In a stopped engine no other operation can touch the variable that this one deletes: then it runs here.
    while (!tryPush(operation)
      && !lifecycle.runStopped(() -> inside.run(() -> runner.run(operation, operation.work())))) {
      // A stop is about to end, or waits again. Its lock is not awaited here, as the stop may wait for this thread.
      LockSupport.parkNanos(this, LOOK_AGAIN_NANOS);
      // The interrupt is cleared, since parkNanos returns at once while it is set.
      isInterrupted |= Thread.interrupted();
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void waitForVariable(Variable variable) {
    await(variable, SpinThenSleep.endless(options.spinNanos()));
    failures.throwIfPoisoned(variable);
  }

  @Override
  public void waitForVariable(Variable variable, Duration patience) throws TimeoutException {
    if (!await(variable, SpinThenSleep.of(options.spinNanos(), patience))) {
      throw timeout(variable, patience);
    }
    failures.throwIfPoisoned(variable);
  }

  private boolean await(Variable variable, SpinThenSleep patience) {
    // Its queue would hand operations of the other engine to this one's threads.
    variables.requireOwn(variable, "wait");
    beginWait(variable);
    return waits.awaitWrites(variable, patience) && streams.awaitWrite(variable, patience);
  }

  private void beginWait(Object awaited) {
    if (isInsideOperation()) {
      throw OperationDepth.refusal(awaited);
    }
    bulks.flush();
  }

  @Override
  public void waitForAll() {
    beginWait("all");
    awaitQuiet();
    failures.throwAll();
  }

  @Override
  public void waitForAll(Duration patience) throws TimeoutException {
    beginWait("all");
    SpinThenSleep limited = SpinThenSleep.of(options.spinNanos(), patience);
    routing.hurry();
    if (!progress.awaitQuiet(limited) || !streams.awaitQuiet(limited)) {
      throw timeout("all", patience);
    }
    streams.synchronize(failures);
    failures.throwAll();
  }

  private void awaitQuiet() {
    waits.awaitQuiet(progress, options.spinNanos());
    streams.synchronize(failures);
  }

  private TimeoutException timeout(Object awaited, Duration patience) {
    return new TimeoutException("not ended in time: for=%s patience=%s pending=%d startedAsync=%s".formatted(awaited,
      patience, progress.pending(), blocks.startedAsync()));
  }

  @Override
  public boolean isInsideOperation() {
    return (Thread.currentThread() instanceof Worker worker && worker.serves(blocks)) || inside.isInside();
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
  public int bulkSize(int operations) {
    return bulks.size(operations);
  }

  @Override
  public void shutdown() {
    bulks.flush();
    runner.skipAll(true);
  }

  @Override
  public void stop() {
    if (isInsideOperation()) {
      return;
    }
    bulks.flush();
    synchronized (lifecycle) {
      if (lifecycle.isStopped()) {
        return;
      }
      do {
        lifecycle.stopping();
        awaitQuiet();
        lifecycle.ending();
        // A delete of another thread may have come in between.
      } while (!progress.isQuiet());
      routing.stop();
      streams.close();
      lifecycle.stopped();
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
    if (isInsideOperation()) {
      throw OperationDepth.closeRefusal();
    }
    try {
      stop();
    } finally {
      lifecycle.closed();
      variables.close();
    }
  }
}
