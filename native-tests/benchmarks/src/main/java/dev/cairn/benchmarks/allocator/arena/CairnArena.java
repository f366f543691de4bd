package dev.cairn.benchmarks.allocator.arena;

import dev.cairn.allocator.Owner;
import dev.cairn.allocator.bfc.BfcAllocator;
import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.source.FakeSubAllocator;

/**
 * Cairn's allocator through its primitive face: a token is a handle. The only class here that calls it.
 *
 * <p>Regions have no memory behind them: neither side's memory is ever touched: the bookkeeping is timed.
 * The first region is as long as ONNX Runtime's, so that both pools grow by the same steps.
 */
public final class CairnArena implements Arena {
  private static final long FIRST_REGION_BYTES = 1L << 20;

  private final BfcAllocator allocator;
  private final int owner;

  private CairnArena(BfcAllocator allocator) {
    this.allocator = allocator;
    this.owner = allocator.ownerNumber(Owner.of("benchmark"));
  }

  /** An arena with the default settings. */
  public static CairnArena open() {
    return new CairnArena(new BfcAllocator(FakeSubAllocator.scattered(Long.MAX_VALUE),
      BfcOptions.DEFAULT.withFirstRegionBytes(FIRST_REGION_BYTES)));
  }

  @Override
  public long grant(long bytes) {
    return allocator.grant(bytes, owner);
  }

  @Override
  public void release(long token) {
    allocator.release(token);
  }

  @Override
  public long addressOf(long token) {
    return allocator.addressOf(token);
  }

  /** The allocator is left to the collector: its regions are only addresses. */
  @Override
  public void close() {}
}
