package dev.cairn.allocator.storage;

import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.MemoryMapBuilder;
import dev.cairn.allocator.Owner;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;

/**
 * The contents of {@link Holdings} as figures, as a map, by block, and in words for error messages; reads only. Guarded
 * by the same lock.
 */
final class HoldingsReader {
  private final Holdings holdings;

  HoldingsReader(Holdings holdings) {
    this.holdings = holdings;
  }

  AllocatorStats stats() {
    long largestFree = holdings.idle.largestBytes();
    if (holdings.figures.hasPrefixes()) {
      largestFree = Math.max(largestFree, holdings.slots.stream().mapToLong(chunk -> chunk.prefixBytes).max()
        .orElse(0));
    }
    return holdings.figures.now(largestFree, holdings.idle.timedBytes());
  }

  MemoryMap memoryMap() {
    Chunk[] chunks = holdings.slots.inAddressOrder();
    MemoryMapBuilder map = new MemoryMapBuilder(holdings.source.space()).ensureRoom(chunks.length);
    Map<Owner, Integer> owners = new HashMap<>();
    owners.put(Owner.NONE, 0);
    for (Chunk chunk : chunks) {
      map.region(chunk.region.address(), chunk.region.bytes());
      if (!chunk.isHeld()) {
        map.free(chunk.region.address(), chunk.region.bytes(), chunk.freedAt);
        continue;
      }
      if (chunk.prefixBytes > 0) {
        map.free(chunk.region.address(), chunk.prefixBytes, 0);
      }
      map.inUse(chunk.blockAddress(), chunk.blockBytes(), chunk.requestedBytes, chunk.allocationId,
        owners.computeIfAbsent(chunk.owner, map::owner), 0);
    }
    return map.build(stats());
  }

  /** The chunk of a block that is held; any other block is refused with the facts. */
  Chunk chunkOf(Block block) {
    Chunk chunk = holdings.slots.at(Chunk.slotOf(block.handle()));
    if (chunk == null || !chunk.isHeld() || chunk.allocationId != block.allocationId()
      || chunk.handle() != block.handle()) {
      throw new IllegalArgumentException("block is not in use, already freed or never allocated: %s; that address is %s"
        .formatted(block, describe(block.address())));
    }
    if (chunk.blockAddress() != block.address() || chunk.blockBytes() != block.bytes()
      || chunk.requestedBytes != block.requestedBytes()) {
      throw new IllegalArgumentException("block was altered: %s; its handle is of %s".formatted(block,
        chunk));
    }
    return chunk;
  }

  /** The largest block held, in words. */
  String largestHeld() {
    return holdings.slots.stream().filter(Chunk::isHeld).max(Comparator.comparingLong(Chunk::blockBytes))
      .map(Chunk::toString).orElse("none");
  }

  private String describe(long address) {
    Chunk chunk = holdings.slots.holding(address);
    return chunk == null ? "in no region" : "in " + chunk;
  }
}
