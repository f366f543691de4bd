package dev.cairn.runtime.engine.worker;

import dev.cairn.runtime.engine.queue.OperationBlock;
import dev.cairn.runtime.engine.queue.ReadyQueue;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The threads that serve one queue, each started when there is work for it. Thread-safe.
 *
 * <p>How no block is forgotten: a worker without work first searches, then sleeps. A thread that offers a block wakes a
 * sleeper only when no worker searches. If the last searcher finds work and there is more, it wakes the next sleeper. A
 * worker that goes to sleep looks once more after it has stopped counting as a searcher. Both sides write before they
 * read, so that either the offer sees no searcher, or the last look sees the block. A lone worker is never counted as a
 * searcher: where there is no sleeper, none need be woken. Where no thread can be started and none is there, the thread
 * that offers takes all blocks and has them refused. A thread that offers meanwhile asks for the lock after its offer,
 * and the refusing thread looks once more under the lock before it ends.
 *
 * <p>A lone worker shares its queue with threads that wait for what is in it. The thread that has the turn takes blocks
 * and runs them, one after the other as if the worker did; no thread waits for the turn. The worker
 * {@linkplain Doze dozes} meanwhile.
 */
public final class WorkerGroup {
  private static final int SEARCHER = 1 << 16;

  private final String name;
  private final int limit;
  private final ReadyQueue queue;
  private final BlockTaker taker;
  private final IdlePolicy idling;
  private final Consumer<Worker> starter;
  /** Searchers above 16 bits, sleepers below. */
  private final AtomicInteger idle = new AtomicInteger();
  private final boolean alone;
  /** Whether a thread takes blocks, where the worker is alone. */
  private final AtomicBoolean turn = new AtomicBoolean();
  /** What a searcher counts in that; nothing where it is alone, as no other could be woken. */
  private final int searcher;
  private final Doze doze = new Doze();
  /** The last to lie down first. Has room for all workers, so that one can lie down when the heap has none. */
  private final Deque<Worker> sleepers;
  private final List<Worker> workers = new ArrayList<>();
  private volatile int started;
  private volatile boolean stopping;
  /** A thread waits: set by that thread, cleared by the worker when it has found a block. */
  private volatile boolean hurried;
  /** Whether an offering thread takes all blocks and refuses them, as no thread could be started. */
  private boolean refusing;

  /** @param starter starts a thread; what it throws is taken for a system that has none left */
  public WorkerGroup(String name, int limit, ReadyQueue queue, BlockTaker taker, IdlePolicy idling,
    Consumer<Worker> starter) {
    this.name = name;
    this.limit = limit;
    this.alone = limit == 1;
    this.searcher = alone ? 0 : SEARCHER;
    this.sleepers = new ArrayDeque<>(limit);
    this.queue = queue;
    this.taker = taker;
    this.idling = idling;
    this.starter = starter;
  }

  BlockTaker taker() {
    return taker;
  }

  /** Puts a block into the queue; {@link #wakeIfNeeded} must follow. Where it throws, the block is in no queue. */
  public void offer(OperationBlock block) {
    queue.offer(block);
  }

  /** For a thread that has offered a block. */
  public void wakeIfNeeded() {
    if (!doze.isOn()) {
      wakeNow();
    }
  }

  private void wakeNow() {
    int seen = idle.get();
    if (seen < SEARCHER && (seen != 0 || started < limit) && !isTaken()) {
      Throwable noThread = wakeOrStart();
      if (noThread != null) {
        refuseAll(noThread);
      }
    }
  }

  /** Tells the group that a thread waits for an offered block, which must run without waiting for more blocks. */
  public void hurry() {
    // The flag is read first, since a store takes the cache line from the threads that read it.
    if (alone && !hurried) {
      hurried = true;
    }
    if (doze.isOn()) {
      wakeIfLeft();
    }
  }

  /**
   * Runs blocks on the calling thread, until it need not wait any more, the next block does not pass, there is none, or
   * another thread has the turn.
   */
  public void help(BooleanSupplier isOver, Predicate<OperationBlock> passes, Consumer<OperationBlock> run) {
    try {
      if (alone && tryTakeTurn()) {
        try {
          runWhile(isOver, passes, run);
        } finally {
          turn.set(false);
        }
      }
    } finally {
      wakeIfLeft();
    }
  }

  private void runWhile(BooleanSupplier isOver, Predicate<OperationBlock> passes, Consumer<OperationBlock> run) {
    while (!isOver.getAsBoolean()) {
      OperationBlock block = queue.pollIf(passes);
      if (block == null) {
        return;
      }
      doze.helped();
      run.accept(block);
    }
  }

  /** Whether the thread now has the turn of a lone worker that has nothing to run; {@link #endTurn} must follow. */
  boolean tryTurn() {
    if (alone && queue.isEmpty() && tryTakeTurn()) {
      if (queue.isEmpty()) {
        return true;
      }
      // The thread that offered it may not have woken the worker, as this thread had its turn.
      turn.set(false);
    }
    wakeIfLeft();
    return false;
  }

  void endTurn() {
    turn.set(false);
    wakeIfLeft();
  }

  private boolean tryTakeTurn() {
    return !turn.get() && turn.compareAndSet(false, true);
  }

  /** Whether a thread that runs blocks has the queue for itself; it sees to what is left when it ends. */
  boolean isTaken() {
    return alone && turn.get();
  }

  /** A block for a thread without a turn; after a block, it has one. */
  @Nullable
  OperationBlock take() {
    if (!alone) {
      return queue.poll();
    }
    if (!tryTakeTurn()) {
      return null;
    }
    OperationBlock block = queue.poll();
    if (block == null) {
      turn.set(false);
    }
    return block;
  }

  private void wakeIfLeft() {
    if (!queue.isEmpty()) {
      wakeNow();
    }
  }

  /** Returns why there is no thread to run a block; null when there is one, or another thread refuses all blocks. */
  private synchronized @Nullable Throwable wakeOrStart() {
    if (idle.get() >= SEARCHER) {
      return null;
    }
    Worker sleeper = sleepers.poll();
    if (sleeper != null) {
      idle.addAndGet(searcher - 1);
      sleeper.wake();
      return null;
    }
    return workers.size() < limit && !refusing ? start() : null;
  }

  private @Nullable Throwable start() {
    idle.addAndGet(searcher);
    try {
      var worker = new Worker(this, name + "-" + workers.size());
      workers.add(worker);
      starter.accept(worker);
      started = workers.size();
      return null;
    } catch (Throwable e) {
      // The system has no thread left, or the heap no room.
      while (workers.size() > started) {
        workers.removeLast();
      }
      idle.addAndGet(-searcher);
      refusing = workers.isEmpty();
      return refusing ? e : null;
    }
  }

  /** The next block tries again to start a thread. Until then this is the only taker. */
  @SuppressWarnings("ThreadPriorityCheck")
  private void refuseAll(Throwable noThread) {
    while (true) {
      OperationBlock block = take();
      if (block != null) {
        turn.set(false);
        taker.refuse(block, noThread);
      } else if (hasRefusedAll()) {
        return;
      } else {
        Thread.yield();
      }
    }
  }

  private synchronized boolean hasRefusedAll() {
    refusing = !queue.isEmpty();
    return !refusing;
  }

  /** The next block for a thread that has the turn; null ends it. */
  @Nullable
  OperationBlock takeNext() {
    OperationBlock block = queue.poll();
    if (block == null) {
      turn.set(false);
    }
    return block;
  }

  /** What a worker does, from its start as a searcher to the end of the group. */
  void work(Worker worker) {
    for (OperationBlock block = search(worker); block != null; block = next(worker)) {
      try {
        taker.run(block);
      } catch (Throwable e) {
        // The thread goes on: others wait for what is in the queue.
        taker.report(block, e);
      }
      // An interrupt that one operation leaves does not reach the next one.
      Thread.interrupted();
    }
  }

  private @Nullable OperationBlock next(Worker worker) {
    OperationBlock block = takeNext();
    if (block != null) {
      return block;
    }
    if (!alone) {
      idle.addAndGet(searcher);
    }
    return search(worker);
  }

  /** For a searcher: a block, as soon as there is one, or null at the end of the group; it is no searcher then. */
  @SuppressWarnings("ThreadPriorityCheck")
  private @Nullable OperationBlock search(Worker worker) {
    while (true) {
      OperationBlock found = spin();
      if (found != null) {
        endSearch();
        return found;
      }
      if (stopping) {
        idle.addAndGet(-searcher);
        return null;
      }
      lieDown(worker);
      idling.beforeLastLook().run();
      if (doze.isDue() && doze.wasWoken(worker, this::hasNothing)) {
        continue;
      }
      if (hasNothing() || !getUp(worker)) {
        worker.sleep();
      } else {
        // A thread that is about to put may have lost the processor: give it ours.
        Thread.yield();
      }
    }
  }

  /** Whether the worker may sleep: a thread that runs blocks wakes it when some are left. */
  private boolean hasNothing() {
    return (queue.isEmpty() || isTaken()) && !stopping;
  }

  private void endSearch() {
    if (hurried) {
      hurried = false;
    }
    if (!alone && idle.addAndGet(-searcher) < SEARCHER && !queue.isEmpty()) {
      wakeIfNeeded();
    }
  }

  private @Nullable OperationBlock spin() {
    OperationBlock found = take();
    // One that spins is enough: it wakes the next.
    if (found != null || idle.get() >= 2 * SEARCHER) {
      return found;
    }
    long end = System.nanoTime() + idling.spinNanos();
    do {
      letGather(end);
      found = take();
    } while (found == null && System.nanoTime() - end < 0 && !stopping);
    return found;
  }

  /**
   * Each look takes cache lines from the pushing thread, which must fetch them back. A lone worker, which runs all in
   * turn anyway, therefore leaves pushers alone for a while and then finds more to run; but only while no thread waits.
   */
  private void letGather(long end) {
    Thread.onSpinWait();
    if (alone) {
      long start = System.nanoTime();
      long most = Math.min(idling.gatherNanos(), end - start);
      while (!hurried && !stopping && System.nanoTime() - start < most) {
        Thread.onSpinWait();
      }
    }
  }

  private synchronized void lieDown(Worker worker) {
    sleepers.push(worker);
    idle.addAndGet(1 - searcher);
  }

  /** Makes the worker a searcher again, by itself; false when another thread has woken it already. */
  private synchronized boolean getUp(Worker worker) {
    if (!sleepers.remove(worker)) {
      return false;
    }
    idle.addAndGet(searcher - 1);
    return true;
  }

  /** Ends all threads; there is nothing left to run, and no thread offers any more. */
  public void stop() {
    List<Worker> all;
    synchronized (this) {
      stopping = true;
      for (Worker sleeper = sleepers.poll(); sleeper != null; sleeper = sleepers.poll()) {
        idle.addAndGet(searcher - 1);
        sleeper.wake();
      }
      all = List.copyOf(workers);
    }
    all.forEach(Worker::awaitEnd);
  }
}
