package dev.cairn.benchmarks.allocator.arena;

import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.Owner;
import dev.cairn.allocator.bfc.BfcAllocator;
import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.report.OomReport;
import dev.cairn.allocator.source.FakeSubAllocator;

/**
 * Cairn's allocator through its primitive face: a token is a handle. The only class here that calls it.
 *
 * <p>Regions have no memory behind them: neither side's memory is ever touched, and what is timed is the bookkeeping.
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

  /** With all that is on by default. */
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

  /** Bytes of all regions: the same before and after where nothing grew. */
  public long poolBytes() {
    return allocator.stats().poolBytes();
  }

  /** All that the allocator can say about its chunks. */
  public MemoryMap memoryMap() {
    return allocator.memoryMap();
  }

  /** The whole report of a request that can't be met, from the failed call on. */
  public String refusalReport() {
    try {
      throw new IllegalStateException("granted: handle=" + allocator.grant(Long.MAX_VALUE, owner));
    } catch (OutOfMemory refusal) {
      return OomReport.of(refusal).text();
    }
  }

  /** The allocator is left to the collector: its regions are only addresses. */
  @Override
  public void close() {}
}
