package dev.cairn.allocator.layer;

import dev.cairn.allocator.Alignment;
import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.MemoryMapBuilder;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.TrimPolicy;
import java.util.Comparator;

/**
 * One of those who share an allocator, as an allocator of its own: has a quota, sees its own figures and blocks, frees
 * its own blocks only. Its pool is what it holds, so there is never anything to trim. Safe for use by many threads.
 *
 * <p>What counts is {@link Block#bytes()}, slack included; a block whose slack goes past the quota is given back before
 * anybody sees it. A request under way counts with what it asks for. Closing closes the tenant, not what it shares.
 */
public final class Tenant extends Layer {
  private final TenantQuotas quotas;
  private final String name;
  private final long quotaBytes;
  private final TenantLedger ledger;

  Tenant(TenantQuotas quotas, Allocator upstream, String name, long quotaBytes) {
    super(upstream);
    this.quotas = quotas;
    this.name = name;
    this.quotaBytes = quotaBytes;
    this.ledger = new TenantLedger(name, quotaBytes);
  }

  /** Who it is. */
  public String name() {
    return name;
  }

  /** The most that it may hold. */
  public long quotaBytes() {
    return quotaBytes;
  }

  /** What it holds. */
  public long usedBytes() {
    return ledger.heldBytes();
  }

  @Override
  Block grant(AllocationRequest request, Way way) {
    if (request.bytes() == 0) {
      ledger.requireOpen();
      return way.from(upstream, request);
    }
    if (!ledger.take(request.bytes())) {
      throw refusal(request, roundedBytes(request));
    }
    Block block = asked(request, way);
    boolean kept;
    try {
      kept = ledger.keep(block, request.bytes(), way == Way.RESERVE);
    } catch (Throwable e) {
      giveBack(block, e);
      ledger.putBack(request.bytes(), false);
      throw e;
    }
    if (!kept) {
      OutOfMemory refusal = refusal(request, block.bytes());
      giveBack(block, refusal);
      ledger.putBack(request.bytes(), true);
      throw refusal;
    }
    return block;
  }

  private Block asked(AllocationRequest request, Way way) {
    try {
      return way.from(upstream, request);
    } catch (OutOfMemory e) {
      ledger.putBack(request.bytes(), true);
      throw e.with(facts());
    } catch (Throwable e) {
      ledger.putBack(request.bytes(), false);
      throw e;
    }
  }

  @Override
  public void free(Block block) {
    ledger.requireOpen();
    if (block.isEmpty()) {
      upstream.free(block);
      return;
    }
    Boolean reserved = ledger.claim(block);
    if (reserved == null) {
      throw new IllegalArgumentException("block is not this tenant's: tenant=%s, %s: %s".formatted(name,
        quotas.holderOf(block).map(holder -> "but held by another: tenant=" + holder.name())
          .orElse("freed before, or another allocator's"),
        block));
    }
    boolean gone = false;
    try {
      upstream.free(block);
      gone = true;
    } finally {
      if (gone || !HeldBlocks.isHeld(upstream, block)) {
        ledger.gone(block, reserved);
      } else {
        ledger.unclaim(block, reserved);
      }
    }
  }

  boolean holds(Block block) {
    return ledger.holds(block);
  }

  /** Does nothing: what a tenant doesn't hold is not its own. */
  @Override
  public long trim(TrimPolicy policy) {
    ledger.requireOpen();
    return 0;
  }

  @Override
  public AllocatorStats stats() {
    return ledger.stats();
  }

  @Override
  public AllocatorStats clearStats() {
    return ledger.clear();
  }

  /** The tenant's blocks alone, each a region of its own. */
  @Override
  public MemoryMap memoryMap() {
    MemoryMap shared = upstream.memoryMap();
    MemoryMapBuilder own = new MemoryMapBuilder(space());
    OwnerNumbers owners = new OwnerNumbers(shared, own);
    for (int chunk = 0; chunk < shared.chunkCount(); chunk++) {
      long id = shared.allocationId(chunk);
      if (shared.isInUse(chunk) && ledger.holds(shared.address(chunk), id)) {
        own.region(shared.address(chunk), shared.bytes(chunk)).inUse(shared.address(chunk), shared.bytes(chunk),
          shared.requestedBytes(chunk), id, owners.of(chunk), shared.step(chunk));
      }
    }
    return own.build(stats());
  }

  @Override
  public void validate() {
    upstream.validate();
    ledger.validate();
  }

  /**
   * Ends the tenant, whose name may then be used again.
   *
   * @throws IllegalStateException when it still holds blocks (nothing is changed then), or when closed before
   */
  @Override
  public void close() {
    while (!ledger.close()) {
      requireEmpty();
    }
    quotas.leave(this);
  }

  /** Notes that what it shares was closed; it may be closing itself at this moment. */
  void end() {
    ledger.end();
  }

  void requireEmpty() {
    if (!ledger.isEmpty()) {
      AllocatorStats stats = stats();
      throw new IllegalStateException("blocks are still held: tenant=%s liveCount=%d bytesInUse=%d largest: %s"
        .formatted(name, stats.liveCount(), stats.bytesInUse(), memoryMap().chunks().max(Comparator.comparingLong(
          MemoryMap.ChunkEntry::bytes)).map(MemoryMap.ChunkEntry::toString).orElse("none")));
    }
  }

  @Override
  public String toString() {
    return facts();
  }

  private OutOfMemory refusal(AllocationRequest request, long neededBytes) {
    return new OutOfMemory(request, neededBytes, memoryMap()).with(facts());
  }

  private String facts() {
    return "tenant=%s quotaBytes=%d usedBytes=%d".formatted(name, quotaBytes, usedBytes());
  }

  private static long roundedBytes(AllocationRequest request) {
    long largest = Alignment.down(Long.MAX_VALUE, Alignment.CHUNK_BYTES);
    return Alignment.up(Math.min(request.bytes(), largest), Alignment.CHUNK_BYTES);
  }
}
