package dev.cairn.runtime.budget;

import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.source.SubAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A number of bytes on one device that several sessions share. Weights, plans, variables and open results all count, in
 * whole regions. Their sum never exceeds the limit. A session that needs memory reclaims idle memory of the others,
 * including their weights, which they reload at their next run. If that is not enough, the run waits until other runs
 * have ended. Waiting runs are served first come, first served.
 *
 * <p>A part of a budget ({@link #within}) is a quota: its sessions together hold no more than the part's limit. Their
 * bytes count in the whole budget, too.
 *
 * <pre>{@code
 * MemoryBudget gpu = MemoryBudget.of(8L << 30);
 * MemoryBudget search = gpu.within("search", 6L << 30);
 * var options = SessionOptions.DEFAULT.withMemory(MemoryOptions.DEFAULT.withBudget(search));
 * }</pre>
 *
 * Thread-safe. A budget holds no memory itself, so it needs no closing.
 */
public final class MemoryBudget {
  private final String name;
  private final long limitBytes;
  private final @Nullable MemoryBudget whole;
  private final Sharing sharing;
  private long bytesInUse;
  private long peakBytes;

  /** State that all parts of a budget share. */
  private static final class Sharing {
    private final MemoryQueue queue;
    /** Guards the byte counts of all parts. */
    private final Object counts = new Object();
    /** Guards the members, and keeps a session from closing while another session reclaims its memory. */
    private final ReentrantLock membership = new ReentrantLock();
    private final List<Joined> members = new ArrayList<>();
    /** False for the private budget of a single session, whose own limit is all that counts. */
    private final boolean isShared;
    private final BooleanSupplier refuses;
    private @Nullable String device;

    private Sharing(boolean isShared, MemoryQueue queue, BooleanSupplier refuses) {
      this.isShared = isShared;
      this.queue = queue;
      this.refuses = refuses;
    }
  }

  /** A session, and the part of the budget that it counts in. */
  private record Joined(Member member, MemoryBudget part) {}

  /** Memory that a session can give back while it stays open. */
  public interface Member {
    /** Gives back executors that no run is using. */
    void releaseExecutors();

    /** Gives back weights that no run is using; the next run reloads them. */
    void releaseWeights();
  }

  private MemoryBudget(String name, long limitBytes, @Nullable MemoryBudget whole, Sharing sharing) {
    if (limitBytes < 0) {
      throw new IllegalArgumentException("a memory budget must not be negative: name=%s limitBytes=%d".formatted(name,
        limitBytes));
    }
    this.name = name;
    this.limitBytes = limitBytes;
    this.whole = whole;
    this.sharing = sharing;
  }

  /** A budget of {@code limitBytes} bytes for sessions on one device. */
  public static MemoryBudget of(long limitBytes) {
    return of(limitBytes, System::nanoTime);
  }

  /** A budget with another clock of waiting times, in nanoseconds, for tests. */
  static MemoryBudget of(long limitBytes, LongSupplier clock) {
    return of(limitBytes, clock, () -> false);
  }

  /**
   * Like {@link #of(long, LongSupplier)}; {@code refuses} is asked before each region, and may refuse it. For tests.
   */
  static MemoryBudget of(long limitBytes, LongSupplier clock, BooleanSupplier refuses) {
    return new MemoryBudget("budget", limitBytes, null, new Sharing(true, new MemoryQueue(clock), refuses));
  }

  /** The budget of a session that shares with no other. */
  public static MemoryBudget unlimited() {
    return new MemoryBudget("session", Long.MAX_VALUE, null, new Sharing(false, new MemoryQueue(),
      () -> false));
  }

  /**
   * A quota within this budget. Quotas may add up to more than the whole.
   *
   * @param part the quota's name in messages
   * @param bytes the most that its sessions may hold together
   */
  public MemoryBudget within(String part, long bytes) {
    return new MemoryBudget(name + "/" + part, bytes, this, sharing);
  }

  public String name() {
    return name;
  }

  public long limitBytes() {
    return limitBytes;
  }

  /** Bytes that the sessions of this budget and its parts hold now. */
  public long bytesInUse() {
    synchronized (sharing.counts) {
      return bytesInUse;
    }
  }

  /** The most bytes that they have held at one time. */
  public long peakBytes() {
    synchronized (sharing.counts) {
      return peakBytes;
    }
  }

  /** Bytes that a session of this budget can still take. */
  public long availableBytes() {
    synchronized (sharing.counts) {
      long available = Long.MAX_VALUE;
      for (MemoryBudget at = this; at != null; at = at.whole) {
        available = Math.min(available, at.limitBytes - at.bytesInUse);
      }
      return available;
    }
  }

  /**
   * Takes bytes from this budget and from every budget that contains it. Returns false, and takes none, if one of them
   * has too few left.
   */
  boolean take(long bytes) {
    synchronized (sharing.counts) {
      if (sharing.refuses.getAsBoolean() || bytes > availableBytes()) {
        return false;
      }
      for (MemoryBudget at = this; at != null; at = at.whole) {
        at.bytesInUse += bytes;
        at.peakBytes = Math.max(at.peakBytes, at.bytesInUse);
      }
      return true;
    }
  }

  void giveBack(long bytes) {
    synchronized (sharing.counts) {
      for (MemoryBudget at = this; at != null; at = at.whole) {
        at.bytesInUse -= bytes;
      }
    }
  }

  /** A memory source whose regions count in this budget. */
  public SubAllocator counting(SubAllocator source) {
    return sharing.isShared ? new BudgetedSource(source, this) : source;
  }

  public MemoryQueue queue() {
    return sharing.queue;
  }

  /**
   * Adds a session.
   *
   * @throws IllegalArgumentException when the other sessions are on another device
   */
  public void join(Member member, String device) {
    sharing.membership.lock();
    try {
      String others = sharing.device;
      if (others != null && !others.equals(device)) {
        throw new IllegalArgumentException(
          "sessions of one budget must use one device: budget=%s device=%s session's=%s"
            .formatted(name, others, device));
      }
      sharing.device = device;
      sharing.members.add(new Joined(member, this));
    } finally {
      sharing.membership.unlock();
    }
  }

  /** Removes a session; other sessions no longer reclaim its memory. */
  public void leave(Member member) {
    sharing.membership.lock();
    try {
      sharing.members.removeIf(it -> it.member.equals(member));
      if (sharing.members.isEmpty()) {
        sharing.device = null;
      }
    } finally {
      sharing.membership.unlock();
    }
  }

  /** The ways to free memory for a session, cheapest first. Other sessions are asked only if they hold it. */
  public List<MemoryQueue.Room> roomFor(Member asking) {
    return List.of(refusal -> {
      asking.releaseExecutors();
      return true;
    }, refusal -> inOthers(asking, refusal, Member::releaseExecutors), refusal -> inOthers(asking, refusal,
      Member::releaseWeights), refusal -> {
        asking.releaseWeights();
        return true;
      });
  }

  private boolean inOthers(Member asking, OutOfMemory refusal, Consumer<Member> release) {
    if (refusal.reason() != OutOfMemory.Reason.SOURCE_REFUSED) {
      return false; // the session's own limit
    }
    MemoryBudget full = partThatRefused(refusal);
    sharing.membership.lock();
    try {
      List<Member> others = sharing.members.stream().filter(it -> !it.member.equals(asking) && it.part.isIn(full)).map(
        Joined::member).toList();
      others.forEach(release);
      return !others.isEmpty();
    } finally {
      sharing.membership.unlock();
    }
  }

  /** The smallest part that has no room for the request; all of the budget where the device itself has none. */
  private MemoryBudget partThatRefused(OutOfMemory refusal) {
    synchronized (sharing.counts) {
      MemoryBudget at = this;
      while (at.whole != null && refusal.roundedBytes() <= at.limitBytes - at.bytesInUse) {
        at = at.whole;
      }
      return at;
    }
  }

  @SuppressWarnings("ReferenceEquality") // a budget is compared by identity
  private boolean isIn(MemoryBudget other) {
    for (MemoryBudget at = this; at != null; at = at.whole) {
      if (at == other) {
        return true;
      }
    }
    return false;
  }

  /**
   * A session's allocation failure, with this budget's figures if the budget caused it.
   *
   * @param ownLeastBytes the least that the session needs for the request and everything that belongs to it
   * @param ownBytes what the session holds now
   */
  public OutOfMemory explained(OutOfMemory refusal, long ownLeastBytes, long ownBytes) {
    MemoryBudget tightest = null;
    long available = Long.MAX_VALUE;
    synchronized (sharing.counts) {
      for (MemoryBudget at = this; at != null; at = at.whole) {
        if (at.limitBytes - at.bytesInUse < available) {
          available = at.limitBytes - at.bytesInUse;
          tightest = at;
        }
      }
      if (tightest == null || refusal.reason() != OutOfMemory.Reason.SOURCE_REFUSED
        || refusal.roundedBytes() <= available) {
        return refusal;
      }
      return refusal.withBudget(new OutOfMemory.Budget(tightest.name, tightest.limitBytes, tightest.bytesInUse,
        tightest.bytesInUse - ownBytes + ownLeastBytes));
    }
  }

  @Override
  public String toString() {
    return "memory budget: name=%s limitBytes=%d bytesInUse=%d".formatted(name, limitBytes, bytesInUse());
  }
}
