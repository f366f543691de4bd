package dev.cairn.runtime.engine;

import dev.cairn.runtime.engine.queue.BulkFusion;
import dev.cairn.runtime.engine.queue.ExecutionPlace;
import dev.cairn.runtime.engine.queue.Operation;
import dev.cairn.runtime.engine.queue.StreamedDelete;
import dev.cairn.runtime.engine.queue.Variable;
import dev.cairn.runtime.engine.stream.DeviceStreams;
import dev.cairn.runtime.engine.stream.StreamMark;
import dev.cairn.runtime.engine.stream.VariableMarks;
import dev.cairn.runtime.engine.worker.Blocks;
import dev.cairn.runtime.engine.worker.OperationDepth;
import dev.cairn.runtime.engine.worker.Routing;
import dev.cairn.runtime.engine.worker.SpinThenSleep;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * An engine whose operations run on threads of their own, as its routing says. A push takes its place at all its
 * variables in one step; the thread that ends the last operation before it hands it on.
 */
final class ThreadedEngine extends StartableEngine {
  private static final long LOOK_AGAIN_NANOS = 50_000;

  private final Routing routing;
  private final Bulks bulks = new Bulks(variables, this::pushNow);
  private final DeviceStreams streams;
  private final Blocks blocks;
  private final HelpingWaits waits;

  ThreadedEngine(EngineOptions options, Routing routing) {
    this(options, routing, new OperationDepth());
  }

  ThreadedEngine(EngineOptions options, Routing routing, OperationDepth inside) {
    super(options, inside);
    this.routing = routing;
    this.streams = new DeviceStreams(options.devices());
    this.blocks = new Blocks(routing, lifecycle, runner, streams, inside, progress, options.spinNanos(),
      ConcurrentHashMap.newKeySet());
    this.waits = new HelpingWaits(routing, blocks, bulks);
  }

  @Override
  public void push(Operation operation) {
    Operation known = checked(operation);
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
      bulks.flushBeforeDelete(variable);
    } finally {
      // The delete comes after what this thread held back. That may be refused; the delete runs all the same.
      if (variable.delete()) {
        deleteNow(variable, place, work);
      } else {
        variables.deleteLater(variable, () -> deleteNow(variable, place, work));
      }
    }
  }

  private void deleteNow(Variable variable, ExecutionPlace place, Runnable work) {
    boolean isElsewhere = !place.equals(ExecutionPlace.CPU) && !(work instanceof StreamedDelete);
    if (isElsewhere || !blocks.hasDeleted(variable, work)) {
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
    throwIfFailed(variable);
  }

  @Override
  public void waitForVariable(Variable variable, Duration patience) throws TimeoutException {
    if (!await(variable, SpinThenSleep.of(options.spinNanos(), patience))) {
      throw timeout(variable, patience);
    }
    throwIfFailed(variable);
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

  @Override
  void awaitQuiet() {
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
  public int bulkSize(int operations, @Nullable BulkFusion fusion) {
    return bulks.size(operations, fusion);
  }

  @Override
  void flush() {
    bulks.flush();
  }

  @Override
  void endThreads() {
    routing.stop();
    streams.close();
  }
}
