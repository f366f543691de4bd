package dev.cairn.kernels.onednn;

import dev.cairn.kernels.device.HandedWork;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Decides which threads run parallel regions of OpenMP, and when. Thread-safe.
 *
 * <p>libgomp makes a team of threads for each thread that runs a region of several threads, and keeps the team until
 * that thread ends. If each caller ran its own regions, a server with 200 threads on 32 processors would have 6,200
 * threads more, and libgomp ends the process when it cannot make one. So the number of teams is bounded, however many
 * threads call:
 *
 * <ul>
 * <li>A <em>lease</em> lets a platform thread run regions itself, which is the fastest way. A thread gets a lease with
 * its first region and keeps it until the thread ends. The teams of all leases have at most
 * {@value #LEASED_PER_PROCESSOR} threads for each processor.
 * <li>A <em>host</em> runs the regions of threads without a lease, while the caller waits: a thread of this class, with
 * a team that stays between regions. For each size of a team there are as many hosts as such teams have processors
 * at the same time. A host ends when it had no region for {@value #HOST_IDLE_SECONDS} seconds. Handing a region over
 * takes some microseconds.
 * </ul>
 *
 * <p>Virtual threads get no lease, since a lease belongs to a thread of the operating system: their regions run on
 * hosts. A region of one thread needs no team; its caller runs it without asking this class.
 *
 * <p>A region takes a processor for each of its threads. These wait for one another by spinning: with more threads than
 * processors, each region would wait for threads that do not run.
 */
final class OpenMpTeams {
  private static final int LEASED_PER_PROCESSOR = 4;
  private static final int HOST_IDLE_SECONDS = 10;

  /** The one for all engines, since all use the same processors. */
  static final OpenMpTeams OF_PROCESS = of(Runtime.getRuntime().availableProcessors());

  private final int processors;
  private final int mostLeased;
  private final Semaphore free;
  /**
   * Threads of the calling thread's team, if that has a lease. An {@code Integer}: a value of a class of Cairn's would
   * keep Cairn's class loader alive in a thread that outlives it.
   */
  private final ThreadLocal<@Nullable Integer> leased = new ThreadLocal<>();
  private final List<Lease> leases = new ArrayList<>();
  private final Map<Integer, Executor> hosts = new ConcurrentHashMap<>();

  private record Lease(WeakReference<Thread> holder, int threads) {
    boolean isOf(Thread thread) {
      return holder.refersTo(thread);
    }

    boolean isOver() {
      Thread thread = holder.get();
      return thread == null || !thread.isAlive();
    }
  }

  /**
   * @param mostLeased threads of the teams of all leases
   * @param free permits for the processors
   */
  OpenMpTeams(int processors, int mostLeased, Semaphore free) {
    this.processors = processors;
    this.mostLeased = mostLeased;
    this.free = free;
  }

  private static OpenMpTeams of(int processors) {
    return new OpenMpTeams(processors, LEASED_PER_PROCESSOR * processors, new Semaphore(processors));
  }

  /** Runs a region when there are processors for it, and waits for it. Throws the region's failure. */
  void run(int threads, Runnable region) {
    int taken = Math.min(threads, processors);
    free.acquireUninterruptibly(taken);
    fork(threads, region, taken);
  }

  /** Like {@link #run}, but returns false and runs nothing if there are no processors for the region now. */
  boolean tryRun(int threads, Runnable region) {
    int taken = Math.min(threads, processors);
    if (!free.tryAcquire(taken)) {
      return false;
    }
    fork(threads, region, taken);
    return true;
  }

  /** Runs a region, then gives back the permits that were taken for it. */
  private void fork(int threads, Runnable region, int taken) {
    try {
      if (hasLease(threads)) {
        region.run();
        return;
      }
      // A host is free: there are as many hosts as regions that may have processors at the same time.
      var handed = new HandedWork(region);
      hosts.computeIfAbsent(threads, this::newHosts).execute(handed);
      handed.await();
    } finally {
      free.release(taken);
    }
  }

  private boolean hasLease(int threads) {
    if (Thread.currentThread().isVirtual()) {
      return false;
    }
    Integer before = leased.get();
    return (before != null && before >= threads) || lease(threads);
  }

  private synchronized boolean lease(int threads) {
    Thread caller = Thread.currentThread();
    leases.removeIf(Lease::isOver);
    int ofOthers = leases.stream().filter(it -> !it.isOf(caller)).mapToInt(Lease::threads).sum();
    if (ofOthers + threads > mostLeased) {
      return false;
    }
    leases.removeIf(it -> it.isOf(caller));
    leases.add(new Lease(new WeakReference<>(caller), threads));
    leased.set(threads);
    return true;
  }

  private Executor newHosts(int threads) {
    int count = processors / Math.min(threads, processors);
    var made = new ThreadPoolExecutor(count, count, HOST_IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(),
      Thread.ofPlatform().daemon().inheritInheritableThreadLocals(false).name("cairn-openmp-" + threads + "-", 1)
        .factory());
    made.allowCoreThreadTimeOut(true);
    return made;
  }
}
