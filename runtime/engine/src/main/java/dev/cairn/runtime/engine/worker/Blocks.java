package dev.cairn.runtime.engine.worker;

import dev.cairn.runtime.engine.queue.AsyncBody;
import dev.cairn.runtime.engine.queue.BulkBody;
import dev.cairn.runtime.engine.queue.ExecutionPlace;
import dev.cairn.runtime.engine.queue.FunctionProperty;
import dev.cairn.runtime.engine.queue.Operation;
import dev.cairn.runtime.engine.queue.OperationBlock;
import dev.cairn.runtime.engine.queue.StreamBody;
import dev.cairn.runtime.engine.queue.StreamedDelete;
import dev.cairn.runtime.engine.queue.Variable;
import dev.cairn.runtime.engine.queue.Wait;
import dev.cairn.runtime.engine.stream.DeviceStreams;
import dev.cairn.runtime.engine.stream.EngineStream;
import dev.cairn.runtime.engine.stream.StreamMark;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Runs blocks whose turn has come, each kind of work in its way, ends each once, and hands on the blocks that an end
 * makes ready. Whatever is thrown on the way, a block ends, as others wait for it; an end needs no memory. Thread-safe.
 */
public final class Blocks implements BlockTaker, AsyncBlock.Ends {
  private final Routing routing;
  private final Lifecycle lifecycle;
  private final OperationRunner runner;
  private final DeviceStreams streams;
  private final StreamRunner streamRunner;
  private final OperationDepth inside;
  private final PushCounter progress;
  private final long spinNanos;
  private final Set<AsyncBlock> startedAsync;
  private final AtomicInteger pushes = new AtomicInteger();
  /** Operations that have not ended and may end without the host's lone worker. */
  private final AtomicInteger elsewhere = new AtomicInteger();

  /** @param startedAsync empty and thread-safe */
  public Blocks(Routing routing, Lifecycle lifecycle, OperationRunner runner, DeviceStreams streams,
    OperationDepth inside, PushCounter progress, long spinNanos, Set<AsyncBlock> startedAsync) {
    this.routing = routing;
    this.lifecycle = lifecycle;
    this.runner = runner;
    this.streams = streams;
    this.streamRunner = new StreamRunner(runner, inside, spinNanos);
    this.inside = inside;
    this.progress = progress;
    this.spinNanos = spinNanos;
    this.startedAsync = startedAsync;
  }

  /** Asynchronous work that was started and has not reported its end. */
  public Set<AsyncBlock> startedAsync() {
    return Set.copyOf(startedAsync);
  }

  /** Whether all operations that have not ended go through the queue of the host's lone worker. */
  public boolean areAllUsual() {
    return elsewhere.get() == 0;
  }

  /** Whether this thread runs an operation. */
  public boolean isInside() {
    return (Thread.currentThread() instanceof Worker worker && worker.serves(this)) || inside.isInside();
  }

  /**
   * Pushes an operation: takes its places at its variables, and runs it or hands it on when it is ready. From then on
   * it ends by itself.
   *
   * @return false when the engine is stopped, or stops and this is not one of the operations it waits for
   * @throws IllegalStateException when a variable is deleted; it has not been pushed then, as after other throwables
   */
  public boolean push(Operation operation) {
    int number = pushes.getAndIncrement();
    OperationBlock block = operation.work() instanceof AsyncBody
      ? new AsyncBlock(operation, number, this)
      : new OperationBlock(operation, number);
    progress.begin();
    if (!operation.isUsual()) {
      elsewhere.incrementAndGet();
    }
    boolean isTaken = false;
    boolean isReady = false;
    boolean runsHere = false;
    try {
      isTaken = lifecycle.isRunning() || lifecycle.stillTakes(operation, isInside());
      if (isTaken) {
        runsHere = runsOnPusher(operation);
        isReady = block.enqueue();
      }
    } catch (Throwable e) {
      // A variable is deleted, or the heap has no room for its place in a line.
      count(block);
      throw e;
    }
    if (!isTaken) {
      count(block);
    } else if (isReady && runsHere) {
      runHere(block);
    } else if (isReady && !(operation.isBrief() && ranBrief(block))) {
      handOn(block.joinAfter(null), false);
    }
    return isTaken;
  }

  /** Runs a brief operation where the host's lone worker has nothing to run. If not, it has not run. */
  private boolean ranBrief(OperationBlock block) {
    Operation operation = block.operation();
    WorkerGroup group = operation.isUsual() ? routing.host() : null;
    if (group == null || !group.tryTurn()) {
      return false;
    }
    boolean isInside = false;
    try {
      // It looks at nothing that this thread has open.
      inside.enter();
      isInside = true;
      awaitHost(operation);
      runner.run(operation, operation.work());
    } catch (Throwable e) {
      runner.failed(operation, e);
    } finally {
      if (isInside) {
        inside.leave();
      }
      try {
        end(block);
      } finally {
        group.endTurn();
      }
    }
    return true;
  }

  /** Too deep for the stack, its threads take it. */
  private boolean runsOnPusher(Operation operation) {
    return routing.runsOnPusher(operation.property()) && !(operation.work() instanceof StreamBody) && !inside
      .isDeepest();
  }

  /**
   * Deletes a variable that no operation uses, on this thread. Such a delete needs no operation and no block: closing
   * an array whose value is there is the usual case. Returns whether it has run; if not, it must have its turn.
   */
  public boolean hasDeleted(Variable variable, Runnable work) {
    if (!routing.runsOnPusher(FunctionProperty.DELETE) || inside.isDeepest()) {
      return false;
    }
    // It counts as an operation: the engine can't stop before it ends, and a stopped engine runs nothing else.
    progress.begin();
    boolean isFree = variable.tryEnterLast();
    boolean isInside = false;
    try {
      if (isFree) {
        isInside = hasEntered();
        work.run();
      }
    } catch (Throwable e) {
      runner.failed(Operation.deleting(variable, ExecutionPlace.CPU, work), e);
    } finally {
      if (isInside) {
        inside.leave();
      }
      if (isFree) {
        handOn(variable.endWrite(null), true);
      }
      progress.end();
    }
    return isFree;
  }

  /** Whether the heap has room for this thread to be inside an operation. A delete runs all the same. */
  private boolean hasEntered() {
    try {
      inside.enter();
      return true;
    } catch (Throwable e) {
      return false;
    }
  }

  /** On a thread of the engine. */
  @Override
  public void run(OperationBlock block) {
    begin(block);
    if (!(block instanceof AsyncBlock)) {
      end(block);
    }
  }

  /** Asynchronous work ends by itself. */
  private void begin(OperationBlock block) {
    if (block instanceof AsyncBlock async && block.operation().work() instanceof AsyncBody body) {
      startAsync(async, body);
    } else {
      runWork(block.operation());
    }
  }

  /** On a thread of the program, which pushes or waits: the work sees nothing that the thread has open. */
  public void runHere(OperationBlock block) {
    if (!beginHere(block)) {
      end(block);
    }
  }

  /** A delete runs all the same on this thread; anything else has failed. */
  @Override
  public void refuse(OperationBlock block, Throwable cause) {
    if (!fail(block, cause)) {
      end(block);
    }
  }

  /** An error that is no operation's: the next wait for all throws it. */
  @Override
  public void report(OperationBlock block, Throwable error) {
    runner.writeDown(block.operation(), error);
  }

  /** One block on a thread of the program. */
  private final class Turn implements Runnable {
    private final OperationBlock block;
    private boolean begun;

    Turn(OperationBlock block) {
      this.block = block;
    }

    @Override
    public void run() {
      begun = true;
      begin(block);
    }
  }

  /** Returns whether the block ends by itself. */
  private boolean beginHere(OperationBlock block) {
    if (block.isDelete() && !(block instanceof AsyncBlock)) {
      boolean isInside = hasEntered();
      try {
        runWork(block.operation());
      } finally {
        if (isInside) {
          inside.leave();
        }
      }
      return false;
    }
    Turn turn = null;
    try {
      turn = new Turn(block);
      inside.run(turn);
      return block instanceof AsyncBlock;
    } catch (Throwable e) {
      if (turn != null && turn.begun) {
        throw e;
      }
      // The heap has no room to begin. A delete always runs.
      if (block.isDelete()) {
        begin(block);
        return block instanceof AsyncBlock;
      }
      runner.failed(block.operation(), e);
      return false;
    }
  }

  /** Returns whether the block ends by itself. */
  private boolean fail(OperationBlock block, Throwable cause) {
    if (block.isDelete()) {
      return beginHere(block);
    }
    runner.failed(block.operation(), cause);
    return false;
  }

  private void runWork(Operation operation) {
    try {
      Runnable work = operation.work();
      if (work instanceof StreamBody body && Thread.currentThread() instanceof Worker worker) {
        streamRunner.give(operation, body, streamOf(worker, operation.place().index()));
        return;
      }
      if (!(work instanceof StreamedDelete)) {
        awaitHost(operation);
      }
      if (work instanceof BulkBody(List<Operation> operations)) {
        for (int i = 0; i < operations.size(); i++) {
          runner.run(operations.get(i), operations.get(i).work());
        }
      } else {
        runner.run(operation, work);
      }
    } catch (Throwable e) {
      // A device refused: a stream could not be made, or asked how far it is.
      runner.failed(operation, e);
    }
  }

  /** The worker's own stream on that device. */
  private EngineStream streamOf(Worker worker, int device) {
    EngineStream there = worker.stream(device);
    if (there == null) {
      there = streams.open(worker.getName(), device);
      worker.keepStream(device, there);
    }
    return there;
  }

  /**
   * Returns when the host may touch the operation's variables: streams have done their part, and their
   * failures are known.
   */
  private void awaitHost(Operation operation) {
    if (streams.isEmpty()) {
      return;
    }
    for (StreamMark mark : operation.footprint().marks()) {
      SpinThenSleep.endless(spinNanos).untilPolled(mark::hasPassed);
    }
    operation.footprint().takeOverFromStreams();
  }

  private void startAsync(AsyncBlock block, AsyncBody body) {
    Operation operation = block.operation();
    if (runner.skips(operation)) {
      end(block);
      return;
    }
    block.start();
    try {
      startedAsync.add(block);
      body.work().start(block);
    } catch (Throwable e) {
      if (block.tryEnd()) {
        ended(block, e);
      } else {
        runner.writeDown(operation, e);
      }
    }
  }

  @Override
  public void touches(AsyncBlock block) {
    awaitHost(block.operation());
  }

  @Override
  public void ended(AsyncBlock block, @Nullable Throwable cause) {
    Throwable why = cause;
    try {
      // Work that touches nothing may leave it unsaid that it starts.
      awaitHost(block.operation());
    } catch (Throwable e) {
      why = cause == null ? e : cause;
    }
    startedAsync.remove(block);
    runner.ended(block.operation(), why);
    end(block);
  }

  private void end(OperationBlock block) {
    handOn(block.operation().footprint().leave(null), true);
    count(block);
  }

  private void count(OperationBlock block) {
    if (!block.operation().isUsual()) {
      elsewhere.decrementAndGet();
    }
    progress.end();
  }

  /** A wait leaves, after it was given a place. */
  public void leave(Wait wait) {
    handOn(wait.operation().footprint().leave(null), true);
  }

  /**
   * Hands a ring of ready blocks to their threads, or to the threads that wait. A block that finds no room has failed;
   * the blocks that its end makes ready join the ring, so that a long chain of them needs no stack.
   *
   * @param isHurried whether its threads must look at once, and not wait for more to come
   */
  private void handOn(@Nullable OperationBlock ring, boolean isHurried) {
    OperationBlock last = ring;
    OperationBlock refused = null;
    while (last != null) {
      OperationBlock block = last.next();
      if (block == null || block.equals(last)) {
        block = last;
        last = null;
      } else {
        last.linkTo(block.next());
      }
      block.linkTo(null);
      if (block instanceof Wait wait) {
        wait.wake();
        last = wait.operation().footprint().leave(last);
        continue;
      }
      Throwable noRoom = offer(block, isHurried);
      if (noRoom != null && !fail(block, noRoom)) {
        last = block.operation().footprint().leave(last);
        block.linkTo(refused);
        refused = block;
      }
    }
    // Only now: a thread that finds none left elsewhere relies on what they made ready being in a queue.
    while (refused != null) {
      OperationBlock next = refused.next();
      refused.linkTo(null);
      count(refused);
      refused = next;
    }
  }

  /** Returns why the block is in no queue; null when it is. */
  private @Nullable Throwable offer(OperationBlock block, boolean isHurried) {
    WorkerGroup group;
    try {
      group = routing.group(block.operation(), this);
      group.offer(block);
    } catch (Throwable e) {
      // No heap for its threads, or for their queue.
      return e;
    }
    group.wakeIfNeeded();
    if (isHurried) {
      // A thread may wait for the block, and here no thread pushes that a look at the queue would disturb.
      group.hurry();
    }
    return null;
  }
}
