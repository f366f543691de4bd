package dev.cairn.runtime.budget;

import dev.cairn.allocator.OutOfMemory;
import dev.cairn.runtime.executor.RunLimit;
import dev.cairn.runtime.executor.RunScope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The queue in which the runs of all sessions of a {@link MemoryBudget} wait for memory. A run that finds too little
 * memory frees idle memory, then waits while other runs are under way. The queue serves waiting runs one at a time,
 * first come, first served. Later runs queue behind them, so small runs do not starve a large one. Thread-safe.
 *
 * <p>A run is under way from its request for memory until its end. An observer or a kernel of it may start another run
 * ({@link RunScope}), on any thread that works for it: while that one waits, it waits, too. When every run under way
 * waits, no run can free memory, and the queue refuses its first request.
 *
 * <p>A run without a plan is one request from start to end. If it had to wait, later runs wait until it has ended. The
 * runs inside of it do not: they have a queue of their own.
 */
public final class MemoryQueue {
  /** The turn of requests of all runs but those inside of a run that has a turn. */
  private final FairPermits all = new FairPermits(1);
  private final Lock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  /** How many requests each run has under way, and each thread that works for no run. */
  private final Map<Object, Integer> underWay = new HashMap<>();
  /** In how many waits each thread and each run is: for memory, slots, plans and variables. */
  private final Map<Object, Integer> waiting = new HashMap<>();
  /** How many requests wait for memory. */
  private int queued;
  /** The first request of the queue, behind it the first one of the runs inside of its run, and so on. */
  private final List<Turn> turns = new ArrayList<>();
  /** Counts the times that a thread freed memory. */
  private long releases;
  private final LongSupplier clock;

  /** The turn of a request, in which it tries to get its memory. */
  private static final class Turn {
    private final Thread thread = Thread.currentThread();
    /** Null where the thread works for no run. */
    private final @Nullable RunScope run = RunScope.innermost();
    /** The turn of requests of runs inside of this one, on other threads. */
    private final FairPermits inside = new FairPermits(1);
    /** How often this request, and the runs inside of its run, freed memory. */
    private long ownReleases;

    /** Whether this thread began the request, for the run that it works for now. */
    @SuppressWarnings("ReferenceEquality")
    boolean isOfCaller() {
      return thread == Thread.currentThread() && run == RunScope.innermost();
    }

    /** Whether this thread works for the request, or for a run inside of its run. */
    @SuppressWarnings("ReferenceEquality")
    boolean isOwn() {
      boolean is = thread == Thread.currentThread();
      for (RunScope mine = RunScope.innermost(); mine != null && !is; mine = mine.outer()) {
        is = mine == run;
      }
      return is;
    }

    /** How many of all releases were by others. */
    long others(long releases) {
      return releases - ownReleases;
    }
  }

  MemoryQueue() {
    this(System::nanoTime);
  }

  /** @param clock of the patience of requests, in nanoseconds */
  MemoryQueue(LongSupplier clock) {
    this.clock = clock;
  }

  /**
   * One request for memory.
   *
   * @param work takes the memory, or throws {@link OutOfMemory} and holds none
   * @param makeRoom ways to free idle memory; the queue tries one after the other, until the work succeeds
   * @param patience how long the request waits for other threads to close results, once no run is under way
   * @param limit when the run stops
   */
  public record Request<T>(Supplier<T> work, List<Room> makeRoom, Duration patience, RunLimit limit) {}

  /** A way to make room for a request that was refused. */
  @FunctionalInterface
  public interface Room {
    /** Frees idle memory. Returns false, and frees none, where that cannot help. */
    boolean make(OutOfMemory refusal);
  }

  /**
   * Does the work of a request, perhaps after waiting for memory. The caller's run is then under way, until the same
   * thread calls {@link #end}.
   *
   * @throws OutOfMemory when there is too little memory and no other run is under way; the caller's run is not under
   *   way then
   * @throws dev.cairn.runtime.executor.RunStopped when the run reaches its limit first; it is not under way then
   */
  public <T> T begin(Request<T> request) {
    if (mayTryAtOnce()) {
      try {
        return attempt(request.work);
      } catch (OutOfMemory e) {
        // Waits below.
      }
    }
    startWaiting(1);
    FairPermits taken = null;
    Turn turn = null;
    try {
      turn = knownTurn();
      if (turn == null) {
        FairPermits permits = permits();
        permits.acquire(request.limit);
        taken = permits;
        turn = beginTurn();
      }
      return waitForRoom(request, turn);
    } finally {
      // This comes before the next request becomes the first one. The first request checks whether every run under way
      // waits.
      stopWaiting(1);
      if (taken != null) {
        endTurn(turn);
        taken.release();
      }
    }
  }

  /**
   * Counts this thread as waiting for a lock or a permit, until {@link #endWait}, which must follow. The holder may be
   * a run that waits for memory; if the queue did not count this thread, two runs could wait for each other.
   */
  public void beginWait() {
    startWaiting(0);
  }

  /** Ends what {@link #beginWait} began, on the same thread. */
  public void endWait() {
    stopWaiting(0);
  }

  /** Takes a lock, without overtaking threads that wait for it. Counts this thread as waiting while it waits. */
  public void lock(Lock wanted, RunLimit limit) {
    if (takesAtOnce(wanted)) {
      return;
    }
    beginWait();
    try {
      limit.lock(wanted);
    } finally {
      endWait();
    }
  }

  private static boolean takesAtOnce(Lock wanted) {
    try {
      return wanted.tryLock(0, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Later runs do not overtake queued requests. A run inside another one does: the queued requests may wait for it. */
  private boolean mayTryAtOnce() {
    lock.lock();
    try {
      return queued == 0 || isInsideUnderWay();
    } finally {
      lock.unlock();
    }
  }

  private boolean isInsideUnderWay() {
    boolean is = underWay.containsKey(Thread.currentThread());
    for (RunScope run = RunScope.innermost(); run != null && !is; run = run.outer()) {
      is = underWay.containsKey(run);
    }
    return is;
  }

  /** The turn that this thread has for the same run; null if it has none. */
  private @Nullable Turn knownTurn() {
    lock.lock();
    try {
      return turns.stream().filter(Turn::isOfCaller).findFirst().orElse(null);
    } finally {
      lock.unlock();
    }
  }

  /** In which line this thread waits for its turn: that of the innermost run that has one, or that of all. */
  private FairPermits permits() {
    lock.lock();
    try {
      FairPermits found = all;
      for (Turn turn : turns) {
        found = turn.isOwn() ? turn.inside : found;
      }
      return found;
    } finally {
      lock.unlock();
    }
  }

  private Turn beginTurn() {
    lock.lock();
    try {
      var turn = new Turn();
      turns.add(turn);
      return turn;
    } finally {
      lock.unlock();
    }
  }

  private void endTurn(@Nullable Turn turn) {
    lock.lock();
    try {
      turns.remove(turn);
    } finally {
      lock.unlock();
    }
  }

  private <T> T waitForRoom(Request<T> request, Turn turn) {
    long deadline = 0;
    while (true) {
      long known = releasesByOthers(turn);
      OutOfMemory refusal;
      try {
        return attempt(request.work);
      } catch (OutOfMemory e) {
        refusal = e;
      }
      for (Room room : request.makeRoom) {
        if (room.make(refusal)) {
          try {
            return attempt(request.work);
          } catch (OutOfMemory e) {
            refusal = e;
          }
        }
      }
      if (!awaitRelease(turn, known, request.limit)) {
        long now = clock.getAsLong();
        deadline = deadline == 0 ? now + Math.max(1, nanos(request.patience)) : deadline;
        if (!awaitResults(turn, known, deadline, request)) {
          throw request.patience.isZero() ? refusal : refusal.with("waited for open results: " + request.patience);
        }
      }
    }
  }

  /** The nanoseconds of a duration, at most as many as a {@code long} counts: 292 years. */
  private static long nanos(Duration patience) {
    return TimeUnit.NANOSECONDS.convert(patience);
  }

  /** Does the work once; if it throws, the run is not under way. */
  private <T> T attempt(Supplier<T> work) {
    boolean began = false;
    enter();
    try {
      T result = work.get();
      began = true;
      return result;
    } finally {
      if (!began) {
        end();
      }
    }
  }

  private void enter() {
    lock.lock();
    try {
      underWay.merge(underWayFor(), 1, Integer::sum);
    } finally {
      lock.unlock();
    }
  }

  /** The innermost run of this thread, or the thread. */
  private static Object underWayFor() {
    RunScope run = RunScope.innermost();
    return run == null ? Thread.currentThread() : run;
  }

  private void startWaiting(int requests) {
    lock.lock();
    try {
      queued += requests;
      waiting.merge(Thread.currentThread(), 1, Integer::sum);
      for (RunScope run = RunScope.innermost(); run != null; run = run.outer()) {
        waiting.merge(run, 1, Integer::sum);
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void stopWaiting(int requests) {
    lock.lock();
    try {
      queued -= requests;
      waiting.computeIfPresent(Thread.currentThread(), MemoryQueue::oneLess);
      for (RunScope run = RunScope.innermost(); run != null; run = run.outer()) {
        waiting.computeIfPresent(run, MemoryQueue::oneLess);
      }
    } finally {
      lock.unlock();
    }
  }

  private long releasesByOthers(Turn turn) {
    lock.lock();
    try {
      return turn.others(releases);
    } finally {
      lock.unlock();
    }
  }

  /** Waits until another thread frees memory; returns false as soon as no run can. */
  private boolean awaitRelease(Turn turn, long known, RunLimit limit) {
    lock.lock();
    try {
      while (turn.others(releases) <= known && !waiting.keySet().containsAll(underWay.keySet())) {
        limit.await(changed);
      }
      return turn.others(releases) > known;
    } finally {
      lock.unlock();
    }
  }

  /** Waits until another thread closes a result; returns false at the deadline. */
  private boolean awaitResults(Turn turn, long known, long deadline, Request<?> request) {
    lock.lock();
    try {
      long left;
      while (turn.others(releases) <= known && (left = deadline - clock.getAsLong()) > 0
        && !request.patience.isZero()) {
        request.limit.await(changed, left);
      }
      return turn.others(releases) > known;
    } finally {
      lock.unlock();
    }
  }

  /** Ends the run that this thread began; its memory is free. */
  public void end() {
    lock.lock();
    try {
      underWay.computeIfPresent(underWayFor(), MemoryQueue::oneLess);
      noteRelease();
    } finally {
      lock.unlock();
    }
  }

  private static @Nullable Integer oneLess(Object waiter, int count) {
    return count == 1 ? null : count - 1;
  }

  /** Waits until so many threads wait, or more. For tests. */
  void awaitWaiting(int threads) {
    lock.lock();
    try {
      while (threadsWaiting() < threads) {
        changed.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  /** How many threads wait now. */
  int waitingThreads() {
    lock.lock();
    try {
      return threadsWaiting();
    } finally {
      lock.unlock();
    }
  }

  private int threadsWaiting() {
    int count = 0;
    for (Object waiter : waiting.keySet()) {
      count += waiter instanceof Thread ? 1 : 0;
    }
    return count;
  }

  /** Notifies the queue that memory is free without the end of a run: a result or a session was closed. */
  public void released() {
    lock.lock();
    try {
      noteRelease();
    } finally {
      lock.unlock();
    }
  }

  /** Memory that a request frees itself, while it tries, is no reason for it to try again. */
  private void noteRelease() {
    releases++;
    for (Turn turn : turns) {
      turn.ownReleases += turn.isOwn() ? 1 : 0;
    }
    changed.signalAll();
  }
}
