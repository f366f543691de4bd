package dev.cairn.allocator.layer;

import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.SizeBins;
import java.util.concurrent.locks.Condition;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A request in the queue, and what becomes of it. The queue's lock guards it. */
final class Waiter {
  final AllocationRequest request;
  final Layer.Way way;
  final Holder holder;
  /** Whether it stays in the queue; if not, its thread doesn't wait and goes on at once. */
  final boolean mayWait;
  final Condition done;
  final int sizeClass;
  final long sinceNanos = System.nanoTime();
  int overtaken;
  private @Nullable OutOfMemory refusal;
  private @Nullable Block block;
  private @Nullable Throwable failure;
  private @Nullable String circumstance;
  private long triedGrants = -1;
  private long triedLive = -1;
  private long triedPoolBytes = -1;
  private long triedTimeHeldBytes = -1;

  Waiter(AllocationRequest request, Layer.Way way, Holder holder, boolean mayWait, Condition done) {
    this.request = request;
    this.way = way;
    this.holder = holder;
    this.mayWait = mayWait;
    this.done = done;
    this.sizeClass = SizeBins.binOf(request.bytes());
  }

  /** Whether upstream would answer as it did, because all is as it was; its source may change unseen. */
  boolean wouldFailAgain(AllocatorStats stats) {
    return refusal != null && refusal.reason() != OutOfMemory.Reason.SOURCE_REFUSED
      && triedGrants == stats.allocationCount() && triedLive == stats.liveCount()
      && triedPoolBytes == stats.poolBytes() && triedTimeHeldBytes == stats.timeHeldBytes();
  }

  /** Upstream has refused it, in or after the state that the figures are of; null if it wasn't asked. */
  void refused(@Nullable OutOfMemory by, AllocatorStats stats) {
    refusal = by;
    triedGrants = stats.allocationCount();
    triedLive = stats.liveCount();
    triedPoolBytes = stats.poolBytes();
    triedTimeHeldBytes = stats.timeHeldBytes();
  }

  /** Whether it was refused, or known to be refused, when so many grants had been made. */
  boolean wasRefusedAfter(long grants) {
    return triedGrants == grants;
  }

  /** Upstream is to be asked again, though all may look as it did. */
  void forget() {
    triedGrants = -1;
  }

  boolean isTimeHeld() {
    return refusal != null && refusal.reason() == OutOfMemory.Reason.TIME_HELD;
  }

  void serve(Block granted) {
    block = granted;
    done.signal();
  }

  /** Upstream, or something on the way, has failed otherwise than by refusing. */
  void fail(Throwable with) {
    failure = with;
    done.signal();
  }

  /** The wait ends without memory, for a reason that its thread will tell. */
  void giveUp(String because) {
    circumstance = because;
    done.signal();
  }

  boolean isDone() {
    return block != null || failure != null || circumstance != null;
  }

  boolean isServed() {
    return block != null;
  }

  long waitedMillis() {
    return (System.nanoTime() - sinceNanos) / 1_000_000;
  }

  /** The block, or what it failed with; called by the thread that waited, whose trace a refusal shall show. */
  Block outcome(Function<AllocationRequest, OutOfMemory> unasked) {
    if (block != null) {
      return block;
    }
    if (circumstance != null) {
      OutOfMemory facts = refusal != null ? refusal : unasked.apply(request);
      OutOfMemory failed = facts.with(circumstance);
      failed.setStackTrace(new Throwable().getStackTrace());
      throw failed;
    }
    switch (failure) {
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      case null, default -> throw new AssertionError("a request left the queue without an outcome: " + request,
        failure);
    }
  }

  @Override
  public String toString() {
    return "%s holds %s waits for %s".formatted(holder.name(), words(holder.bytes()), words(request.bytes()));
  }

  /** Bytes in the largest unit that leaves no rest. */
  private static String words(long bytes) {
    if (bytes > 0 && bytes % (1L << 20) == 0) {
      return (bytes >> 20) + " MiB";
    }
    return bytes > 0 && bytes % 1024 == 0 ? (bytes >> 10) + " KiB" : bytes + " B";
  }
}
