package dev.cairn.runtime.session;

import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.bfc.SplitPolicy;
import dev.cairn.allocator.layer.TrimSchedule;
import dev.cairn.runtime.budget.MemoryBudget;
import java.time.Duration;
import java.util.Optional;

/**
 * How much memory a session may take, how its pool grows, and when it gives memory back.
 *
 * @param limitBytes the most that weights, plans and results together may take; {@link Long#MAX_VALUE} for no limit
 * @param growth how the session takes memory
 * @param collection when a request that finds no room makes the pool give back idle regions, and whether open results
 *   then move. If empty: before the pool grows if there is a limit, otherwise when the memory source fails
 * @param trim when the session gives back idle regions in the background; if empty, never
 * @param guardBytes length of the red zones before and after each block, to find kernels that write out of bounds, on
 *   the processor only; 0 for none. A run that damages a red zone fails. Red zones take memory, so they exclude a limit
 * @param listener receives each allocation event, such as a {@link dev.cairn.allocator.trace.TraceRecorder}. The caller
 *   closes it, after the session and its results
 * @param budget a budget that the session shares with others; empty if only the session's own limit applies
 * @param waitingTime how long a run without enough memory waits for other threads to close open results. It waits for
 *   active runs in any case
 * @param pool all options of the pool, such as how it splits chunks, its first region and its longest step; in place of
 *   growth and collection; without a limit of its own
 */
public record MemoryOptions(long limitBytes, MemoryGrowth growth, Optional<BfcOptions.Collection> collection,
  Optional<TrimSchedule> trim, long guardBytes, AllocationListener listener, Optional<MemoryBudget> budget,
  Duration waitingTime, Optional<BfcOptions> pool) {
  /** No limit, {@link MemoryGrowth#AS_REQUESTED}, no trimming, no red zones, no listener. */
  public static final MemoryOptions DEFAULT = new MemoryOptions(Long.MAX_VALUE, MemoryGrowth.AS_REQUESTED,
    Optional.empty(), Optional.empty(), 0, AllocationListener.silent(), Optional.empty(), Duration.ZERO,
    Optional.empty());

  public MemoryOptions {
    if (limitBytes < 0 || guardBytes < 0) {
      throw new IllegalArgumentException("bytes must not be negative: limitBytes=%d guardBytes=%d".formatted(limitBytes,
        guardBytes));
    }
    if (waitingTime.isNegative()) {
      throw new IllegalArgumentException("waiting time must not be negative: " + waitingTime);
    }
  }

  public MemoryOptions withLimitBytes(long bytes) {
    return new MemoryOptions(bytes, growth, collection, trim, guardBytes, listener, budget, waitingTime, pool);
  }

  public MemoryOptions withGrowth(MemoryGrowth how) {
    return new MemoryOptions(limitBytes, how, collection, trim, guardBytes, listener, budget, waitingTime, pool);
  }

  public MemoryOptions withCollection(BfcOptions.Collection when) {
    return new MemoryOptions(limitBytes, growth, Optional.of(when), trim, guardBytes, listener, budget, waitingTime,
      pool);
  }

  public MemoryOptions withTrim(TrimSchedule schedule) {
    return new MemoryOptions(limitBytes, growth, collection, Optional.of(schedule), guardBytes, listener, budget,
      waitingTime, pool);
  }

  public MemoryOptions withGuardBytes(long bytes) {
    return new MemoryOptions(limitBytes, growth, collection, trim, bytes, listener, budget, waitingTime, pool);
  }

  public MemoryOptions withListener(AllocationListener listener) {
    return new MemoryOptions(limitBytes, growth, collection, trim, guardBytes, listener, budget, waitingTime, pool);
  }

  /** These options with a budget that several sessions share. */
  public MemoryOptions withBudget(MemoryBudget shared) {
    return new MemoryOptions(limitBytes, growth, collection, trim, guardBytes, listener, Optional.of(shared),
      waitingTime, pool);
  }

  public MemoryOptions withWaitingTime(Duration time) {
    return new MemoryOptions(limitBytes, growth, collection, trim, guardBytes, listener, budget, time, pool);
  }

  /** These options with all options of the pool, in place of growth and collection. */
  public MemoryOptions withPool(BfcOptions options) {
    return new MemoryOptions(limitBytes, growth, collection, trim, guardBytes, listener, budget, waitingTime, Optional
      .of(options));
  }

  /**
   * The options of the session's allocator.
   *
   * @throws IllegalArgumentException when these options contradict each other
   */
  BfcOptions ofAllocator() {
    boolean isLimited = limitBytes < Long.MAX_VALUE;
    if (growth == MemoryGrowth.WHOLE && !isLimited) {
      throw new IllegalArgumentException("this memory growth needs a memory limit: growth=" + growth);
    }
    if (guardBytes > 0 && (isLimited || budget.isPresent())) {
      throw new IllegalArgumentException("red zones exclude a memory limit and a budget: guardBytes=%d limitBytes=%d "
        .formatted(guardBytes, limitBytes) + "budget=" + budget.map(MemoryBudget::name).orElse("none"));
    }
    if (guardBytes > 0 && collection.equals(Optional.of(BfcOptions.Collection.COMPACT))) {
      throw new IllegalArgumentException("red zones exclude compaction: guardBytes=%d collection=%s".formatted(
        guardBytes, BfcOptions.Collection.COMPACT));
    }
    if (pool.isPresent()) {
      if (growth != DEFAULT.growth || collection.isPresent()) {
        throw new IllegalArgumentException("the pool's own options exclude a growth and a collection: growth=%s %s"
          .formatted(growth, collection.map(it -> "collection=" + it).orElse("")));
      }
      if (pool.get().limitBytes() < Long.MAX_VALUE) {
        throw new IllegalArgumentException("the session has the pool's limit: withLimitBytes(%d)".formatted(pool.get()
          .limitBytes()));
      }
      return pool.get().withLimitBytes(limitBytes);
    }
    // A limited pool returns idle regions before it grows, and does not split a region for a small result.
    BfcOptions options = BfcOptions.DEFAULT.withLimitBytes(limitBytes).withCollection(collection.orElse(
      isLimited || budget.isPresent() ? BfcOptions.Collection.BEFORE_GROWTH : BfcOptions.Collection.AT_THE_LIMIT));
    return switch (growth) {
      case AS_REQUESTED, VIRTUAL -> options.withGrowth(BfcOptions.Growth.AS_REQUESTED);
      case DOUBLING -> options.withGrowth(BfcOptions.Growth.DOUBLING);
      // Slack of one block would be missing for the next block.
      case WHOLE -> options.withGrowth(BfcOptions.Growth.WHOLE).withSplit(SplitPolicy.exact()).withPlacement(
        BfcOptions.Placement.BY_NEIGHBOURS);
    };
  }
}
