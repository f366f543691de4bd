package dev.cairn.runtime.engine;

import dev.cairn.runtime.engine.failure.Failures;
import dev.cairn.runtime.engine.queue.ExecutionPlace;
import dev.cairn.runtime.engine.queue.Operation;
import dev.cairn.runtime.engine.queue.Variable;
import dev.cairn.runtime.engine.queue.Variables;
import dev.cairn.runtime.engine.stream.DeviceStreams;
import dev.cairn.runtime.engine.stream.StreamMark;
import dev.cairn.runtime.engine.stream.VariableMarks;
import dev.cairn.runtime.engine.worker.Blocks;
import dev.cairn.runtime.engine.worker.Lifecycle;
import dev.cairn.runtime.engine.worker.OperationDepth;
import dev.cairn.runtime.engine.worker.OperationRunner;
import dev.cairn.runtime.engine.worker.PushCounter;
import dev.cairn.runtime.engine.worker.Routing;
import dev.cairn.runtime.engine.worker.SpinThenSleep;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
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
  private final OperationDepth inside;
  private final Bulks bulks = new Bulks(variables, this::pushNow);
  private final DeviceStreams streams;
  private final Blocks blocks;
  private final HelpingWaits waits;

  ThreadedEngine(EngineOptions options, Routing routing) {
    this(options, routing, new OperationDepth());
  }

  ThreadedEngine(EngineOptions options, Routing routing, OperationDepth inside) {
    this.options = options;
    this.routing = routing;
    this.inside = inside;
    this.streams = new DeviceStreams(options.devices());
    this.blocks = new Blocks(routing, lifecycle, runner, streams, inside, progress, options.spinNanos(),
      ConcurrentHashMap.newKeySet());
    this.waits = new HelpingWaits(routing, blocks, bulks);
  }

  @Override
  public Variable newVariable(String name) {
    return variables.make(name);
  }

  @Override
  public void push(Operation operation) {
    options.requireDevice(operation);
    variables.requireUsable(operation);
    Operation known = options.captureSites() ? PushSite.known(operation) : operation;
    if (!bulks.hold(known) && !blocks.push(known)) {
      throw lifecycle.refusal(known);
    }
  }

  private void pushNow(Operation operation) {
    if (!blocks.push(operation)) {
      throw lifecycle.refusal(operation);
    }
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
    if (!place.equals(ExecutionPlace.CPU) || !blocks.hasDeleted(variable, work)) {
      deleteInTurn(Operation.deleting(variable, place, work));
    }
  }

  @Override
  public void deleteOperation(Operation operation, Runnable work) {
    variables.requireOwn(operation);
    Operation delete = operation.deleting(work);
    try {
      bulks.flush();
    } finally {
      deleteInTurn(delete);
    }
  }

  private void deleteInTurn(Operation operation) {
    boolean isInterrupted = false;
    // In a stopped engine no other operation can touch the variable that this one deletes: then it runs here.
    while (!blocks.push(operation)
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
    failures.throwIfPoisoned(variable, variable.poison());
  }

  @Override
  public void waitForVariable(Variable variable, Duration patience) throws TimeoutException {
    if (!await(variable, SpinThenSleep.of(options.spinNanos(), patience))) {
      throw timeout(variable, patience);
    }
    failures.throwIfPoisoned(variable, variable.poison());
  }

  private boolean await(Variable variable, SpinThenSleep patience) {
    // Its queue would hand operations of the other engine to this one's threads.
    variables.requireOwn(variable, "wait");
    beginWait(variable);
    return waits.awaitWrites(variable, patience) && awaitStream(variable, patience);
  }

  /** Returns true when the last write that was given to a stream has ended, false when the patience ends before. */
  private static boolean awaitStream(Variable variable, SpinThenSleep patience) {
    VariableMarks marks = variable.marks();
    if (marks == null) {
      return true;
    }
    List<StreamMark> awaited = new ArrayList<>();
    marks.addTo(awaited, false);
    return awaited.stream().allMatch(it -> patience.untilPolled(it::hasPassed));
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
    if (!progress.awaitQuiet(limited) || !limited.untilPolled(streams::isQuiet)) {
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
    return blocks.isInside();
  }

  @Override
  public void throwIfFailed(Variable variable) {
    failures.throwIfPoisoned(variable, variable.poison());
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
      throw new IllegalStateException("an engine closed inside one of its operations");
    }
    try {
      stop();
    } finally {
      lifecycle.closed();
      variables.close();
    }
  }
}
