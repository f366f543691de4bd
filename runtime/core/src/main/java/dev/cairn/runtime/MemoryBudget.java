package dev.cairn.runtime;

import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.source.SubAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of one device that several sessions share. All that the sessions hold counts: weights, plans, variables and
 * open results, in whole regions. The sum never exceeds the limit. A session that lacks memory takes back what the
 * others do not use now, also their weights, which they place again when they run next. If that is too little, the run
 * waits until others have ended. Waiting runs are served in the order in which they came.
 *
 * <p>A part of a budget ({@link #within}) is a quota: its sessions together hold no more than the part's limit, and
 * count in the whole as well.
 *
 * <pre>{@code
 * MemoryBudget gpu = MemoryBudget.of(8L << 30);
 * MemoryBudget search = gpu.within("search", 6L << 30);
 * var options = SessionOptions.DEFAULT.withMemory(MemoryOptions.DEFAULT.withBudget(search));
 * }</pre>
 *
 * Thread-safe. Holds no memory itself, so it needs no closing.
 */
public final class MemoryBudget {
  private final String name;
  private final long limitBytes;
  private final @Nullable MemoryBudget whole;
  private final Sharing sharing;
  private long bytesInUse;
  private long peakBytes;

  /** What all parts of a budget have in common. */
  private static final class Sharing {
    private final MemoryQueue queue = new MemoryQueue();
    /** Guards the counts of all parts. */
    private final Object counts = new Object();
    /** Guards the members, and keeps a session from closing while another makes room in it. */
    private final ReentrantLock membership = new ReentrantLock();
    private final List<Joined> members = new ArrayList<>();
    /** False where one session shares with no other, and its own limit is all that counts. */
    private final boolean isShared;
    private @Nullable String device;

    private Sharing(boolean isShared) {
      this.isShared = isShared;
    }
  }

  /** A session, and the part of the budget that it counts in. */
  private record Joined(Member member, MemoryBudget part) {}

  /** What a session can give back while it stays open. */
  interface Member {
    /** Gives back executors that no run uses now. */
    void releaseExecutors();

    /** Gives back weights that no run uses now, and that the next run places again. */
    void releaseWeights();
  }

  private MemoryBudget(String name, long limitBytes, @Nullable MemoryBudget whole, Sharing sharing) {
    if (limitBytes < 0) {
      throw new IllegalArgumentException("a memory budget is not negative: name=%s limitBytes=%d".formatted(name,
        limitBytes));
    }
    this.name = name;
    this.limitBytes = limitBytes;
    this.whole = whole;
    this.sharing = sharing;
  }

  /** A budget of so many bytes, for sessions on one device. */
  public static MemoryBudget of(long limitBytes) {
    return new MemoryBudget("budget", limitBytes, null, new Sharing(true));
  }

  /** Of one session that shares with no other. */
  static MemoryBudget unlimited() {
    return new MemoryBudget("session", Long.MAX_VALUE, null, new Sharing(false));
  }

  /**
   * A quota in this budget. Quotas may add up to more than the whole.
   *
   * @param part its name in messages
   * @param bytes the most that its sessions hold together
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

  /** Bytes that the sessions of this budget, and of its parts, hold now. */
  public long bytesInUse() {
    synchronized (sharing.counts) {
      return bytesInUse;
    }
  }

  /** The most bytes that they held at one time. */
  public long peakBytes() {
    synchronized (sharing.counts) {
      return peakBytes;
    }
  }

  /** Bytes that a session of this budget may still take. */
  public long availableBytes() {
    synchronized (sharing.counts) {
      long available = Long.MAX_VALUE;
      for (MemoryBudget at = this; at != null; at = at.whole) {
        available = Math.min(available, at.limitBytes - at.bytesInUse);
      }
      return available;
    }
  }

  /** Takes bytes of this budget and of all that it is a part of; false, and takes none, when one has too few left. */
  boolean take(long bytes) {
    synchronized (sharing.counts) {
      if (bytes > availableBytes()) {
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

  /** The source of a session's memory, with its regions counted in this budget. */
  SubAllocator counting(SubAllocator source) {
    return sharing.isShared ? new BudgetedSource(source, this) : source;
  }

  MemoryQueue queue() {
    return sharing.queue;
  }

  /**
   * Adds a session.
   *
   * @throws IllegalArgumentException when the others are on another device
   */
  void join(Member member, String device) {
    sharing.membership.lock();
    try {
      String others = sharing.device;
      if (others != null && !others.equals(device)) {
        throw new IllegalArgumentException("a memory budget is of one device: budget=%s device=%s session's=%s"
          .formatted(name, others, device));
      }
      sharing.device = device;
      sharing.members.add(new Joined(member, this));
    } finally {
      sharing.membership.unlock();
    }
  }

  /** Removes a session; no other makes room in it afterwards. */
  void leave(Member member) {
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

  /** Ways to make room for a session, the cheapest first; in other sessions only where these hold what it lacks. */
  List<MemoryQueue.Room> roomFor(Member asking) {
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
   * A session's refusal, with this budget's facts where the budget is what refused.
   *
   * @param ownLeastBytes what the session needs at least, for the request and all that belongs to it
   * @param ownBytes what the session holds now
   */
  OutOfMemory explained(OutOfMemory refusal, long ownLeastBytes, long ownBytes) {
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
