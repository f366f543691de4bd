package dev.cairn.kernels.device;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How long the threads of teams wait for a processor. Where they wait much, other programs or a container's quota take
 * the processors, and the threads are <em>crowded</em>. Threads of a team that wait for one another spin, since the
 * next loop follows within microseconds and a sleeping thread takes tens of them to wake. A crowded thread must not:
 * it would take the processor from the thread that it waits for, for milliseconds. Thread-safe.
 *
 * <p>The system counts these times for each thread. A thread calls {@link #join} when it begins to work in a team.
 * Before each loop, a team calls {@link #look}, which reads the counts of some threads when the last look is {@value
 * #LOOK_MICROS} microseconds old. Where the system does not count, threads are never crowded.
 */
public final class ProcessorWaits {
  private static final long LOOK_MICROS = 5_000;
  private static final long LOOK_NANOS = LOOK_MICROS * 1_000;
  /** Threads count as crowded for so long after the last look that found them so. */
  private static final long LEAST_CROWDED_NANOS = 100_000_000;
  /** Longer where threads were crowded again soon after: each attempt to spin costs them milliseconds. */
  private static final long MOST_CROWDED_NANOS = 16 * LEAST_CROWDED_NANOS;
  private static final long SOON_NANOS = 2_000_000_000;
  /** Crowded threads do not spin, so they get more and shorter turns, and wait less for each. */
  private static final long CROWDED_TURN_NANOS = 25_000;
  /** Threads that one look reads, at a microsecond or two each. The next look reads others. */
  private static final int READ_AT_ONCE = 16;

  /** The one for all teams, since all use the same processors. */
  public static final ProcessorWaits OF_PROCESS = new ProcessorWaits(System::nanoTime, SchedulerFile::ofThisThread);

  /** The counts of one thread. */
  interface Counter extends AutoCloseable {
    /** Empty when the thread has ended. */
    Optional<ThreadTimes> read();

    @Override
    void close();
  }

  private static final class Member {
    private final Counter counter;
    private ThreadTimes last;

    Member(Counter counter, ThreadTimes last) {
      this.counter = counter;
      this.last = last;
    }
  }

  private final LongSupplier clock;
  private final Supplier<? extends Optional<? extends Counter>> ofThisThread;
  private final ReentrantLock lock = new ReentrantLock();
  private final List<Member> members = new ArrayList<>();
  /** A {@code Boolean}: a value of a class of Cairn's would keep Cairn's class loader alive in a thread. */
  private final ThreadLocal<@Nullable Boolean> joined = new ThreadLocal<>();
  private int nextMember;
  private ThreadTimes total = ThreadTimes.NONE;
  private long crowdedAt;
  private long crowdedNanos = LEAST_CROWDED_NANOS;
  private long leftAt;
  private volatile long lookedAt;
  private volatile boolean crowded;

  /**
   * @param clock in nanoseconds
   * @param ofThisThread the counter of the thread that calls it; empty where the system does not count
   */
  ProcessorWaits(LongSupplier clock, Supplier<? extends Optional<? extends Counter>> ofThisThread) {
    this.clock = clock;
    this.ofThisThread = ofThisThread;
    this.lookedAt = clock.getAsLong();
    this.leftAt = lookedAt - SOON_NANOS;
  }

  /** Counts the calling platform thread from now on, until it ends. */
  public void join() {
    if (hasJoined() || Thread.currentThread().isVirtual()) {
      return;
    }
    joined.set(true);
    ofThisThread.get().ifPresent(this::add);
  }

  private void add(Counter counter) {
    Optional<ThreadTimes> now = counter.read();
    if (now.isEmpty()) {
      counter.close();
      return;
    }
    lock.lock();
    try {
      members.add(new Member(counter, now.get()));
    } finally {
      lock.unlock();
    }
  }

  /** Whether the calling thread has joined. */
  public boolean hasJoined() {
    return joined.get() != null;
  }

  /** Reads counts if the last look is old enough, and no other thread looks. */
  public void look() {
    long now = clock.getAsLong();
    if (now - lookedAt < LOOK_NANOS || !lock.tryLock()) {
      return;
    }
    try {
      lookedAt = now;
      decide(readNext(Math.min(READ_AT_ONCE, members.size())), now);
    } finally {
      lock.unlock();
    }
  }

  private void decide(ThreadTimes passed, long now) {
    if (crowded && passed.areCrowded(CROWDED_TURN_NANOS)) {
      crowdedAt = now;
    } else if (!crowded && passed.areCrowded()) {
      crowdedNanos = now - leftAt < SOON_NANOS ? Math.min(2 * crowdedNanos, MOST_CROWDED_NANOS) : LEAST_CROWDED_NANOS;
      crowdedAt = now;
      crowded = true;
    } else if (crowded && now - crowdedAt >= crowdedNanos) {
      leftAt = now;
      crowded = false;
    }
  }

  /** What so many members were counted since they were last read. */
  private ThreadTimes readNext(int count) {
    ThreadTimes passed = ThreadTimes.NONE;
    for (int i = 0; i < count; i++) {
      nextMember = nextMember >= members.size() ? 0 : nextMember;
      Member member = members.get(nextMember);
      Optional<ThreadTimes> now = member.counter.read();
      if (now.isPresent()) {
        passed = passed.plus(now.get().minus(member.last));
        member.last = now.get();
        nextMember++;
      } else {
        members.remove(nextMember);
        member.counter.close();
      }
    }
    total = total.plus(passed);
    return passed;
  }

  /** What has been counted for all threads together, each from its joining. */
  public ThreadTimes total() {
    lock.lock();
    try {
      readNext(members.size());
      return total;
    } finally {
      lock.unlock();
    }
  }

  /**
   * How often a thread looks for what it waits for before it sleeps: not at all while threads are crowded.
   *
   * @param usual while each thread has a processor
   */
  public int spins(int usual) {
    return crowded ? 0 : usual;
  }
}
