package dev.cairn.allocator.storage;

import dev.cairn.allocator.Alignment;
import dev.cairn.allocator.AllocatorStats;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks what {@link Holdings} promises, slowly and plainly.
 *
 * <ul>
 * <li>S1 apart: no two regions overlap.
 * <li>S2 slotted: each chunk is in the slot that it names.
 * <li>S3 sized: regions are multiples of the source's granularity; a held chunk has the requested bytes, after a prefix
 * that is a multiple of 256; an idle one has neither.
 * <li>S4 one place: a chunk is either held or among the idle, and then once on the stack of its length.
 * <li>S5 ordered: the idle follow each other as they were freed, on each stack too; those whose time matters come last.
 * <li>S6 counted: figures are the sums of what there is.
 * <li>S7 identified: ids of the held are distinct and were given.
 * <li>S8 limited: the pool is within its limit.
 * </ul>
 */
final class HoldingsCheck {
  private final Holdings holdings;
  private final Map<Chunk, Integer> orderOfIdle = new HashMap<>();
  private final Map<ChunkStack, Integer> chunksOfStack = new HashMap<>();
  private final Set<Long> ids = new HashSet<>();
  private long poolBytes;
  private long bytesInUse;
  private long requestedBytes;
  private long bypassBytes;
  private long idleBytes;
  private long timedBytes;
  private long largestFreeBytes;

  private HoldingsCheck(Holdings holdings) {
    this.holdings = holdings;
  }

  /** Throws an {@link AssertionError} that names the invariant and the facts. */
  static void check(Holdings holdings) {
    HoldingsCheck check = new HoldingsCheck(holdings);
    check.checkOrder();
    check.checkChunks();
    check.checkShelves();
    check.checkFigures();
  }

  private void checkOrder() {
    Chunk before = null;
    for (Chunk chunk = holdings.idle.oldest(); chunk != null; chunk = chunk.newer) {
      require("S5 ordered", orderOfIdle.put(chunk, orderOfIdle.size()) == null && chunk.older == before, chunk);
      boolean inOrder = before == null || before.freedAt <= chunk.freedAt;
      require("S5 ordered", inOrder && (chunk.freedAt == 0 || chunk.freedAt >= holdings.idle.safeFrontier()), chunk);
      boolean firstTimed = chunk.freedAt > 0 && timedBytes == 0;
      require("S5 ordered", firstTimed == (chunk == holdings.idle.oldestTimed()), chunk);
      idleBytes += chunk.region.bytes();
      timedBytes += chunk.freedAt > 0 ? chunk.region.bytes() : 0;
      largestFreeBytes = Math.max(largestFreeBytes, chunk.region.bytes());
      before = chunk;
    }
    require("S5 ordered", holdings.idle.newest() == before, before);
  }

  private void checkChunks() {
    long end = Long.MIN_VALUE;
    for (Chunk chunk : holdings.slots.inAddressOrder()) {
      require("S1 apart", chunk.region.address() >= end, chunk);
      end = chunk.region.endAddress();
      require("S2 slotted", holdings.slots.at(chunk.slot) == chunk, chunk);
      boolean even = Alignment.isAligned(chunk.region.bytes(), holdings.source.granularityBytes());
      require("S3 sized", chunk.region.bytes() > 0 && even, chunk);
      require("S4 one place", chunk.isHeld() != orderOfIdle.containsKey(chunk), chunk);
      require("S4 one place", chunk.stack.key == chunk.region.bytes(), chunk);
      chunksOfStack.merge(chunk.stack, 1, Integer::sum);
      poolBytes += chunk.region.bytes();
      if (chunk.isHeld()) {
        checkHeld(chunk);
      } else {
        require("S3 sized", chunk.prefixBytes == 0 && chunk.requestedBytes == 0 && !chunk.isBypass, chunk);
      }
    }
  }

  private void checkHeld(Chunk chunk) {
    boolean prefixed = chunk.prefixBytes >= 0 && Alignment.isAligned(chunk.prefixBytes, Alignment.CHUNK_BYTES);
    boolean fits = chunk.requestedBytes > 0 && chunk.requestedBytes <= chunk.blockBytes();
    require("S3 sized", prefixed && fits && chunk.freedAt == 0, chunk);
    boolean given = chunk.allocationId >= 0 && chunk.allocationId < holdings.figures.nextAllocationId();
    require("S7 identified", given && ids.add(chunk.allocationId), chunk);
    bytesInUse += chunk.blockBytes();
    requestedBytes += chunk.requestedBytes;
    bypassBytes += chunk.isBypass ? chunk.blockBytes() : 0;
    largestFreeBytes = Math.max(largestFreeBytes, chunk.prefixBytes);
  }

  private void checkShelves() {
    int onStacks = 0;
    for (Map.Entry<Long, ChunkStack> entry : holdings.idle.stacks().entrySet()) {
      ChunkStack stack = entry.getValue();
      require("S4 one place", Objects.equals(entry.getKey(), stack.key), stack.top);
      require("S4 one place", stack.chunkCount == chunksOfStack.getOrDefault(stack, 0), stack.top);
      require("S4 one place", stack.chunkCount > 0, stack.top);
      onStacks += checkStack(stack);
    }
    require("S4 one place", onStacks == orderOfIdle.size(), null);
    require("S4 one place", chunksOfStack.size() == holdings.idle.stacks().size(), null);
  }

  private int checkStack(ChunkStack stack) {
    int count = 0;
    int last = -1;
    Chunk under = null;
    for (Chunk chunk = stack.bottom; chunk != null; chunk = chunk.above) {
      int order = orderOfIdle.getOrDefault(chunk, -1);
      require("S4 one place", order >= 0 && chunk.stack == stack, chunk);
      require("S5 ordered", order > last && chunk.below == under, chunk);
      last = order;
      under = chunk;
      count++;
    }
    require("S5 ordered", stack.top == under, under);
    return count;
  }

  private void checkFigures() {
    AllocatorStats stats = new HoldingsReader(holdings).stats();
    boolean held = stats.bytesInUse() == bytesInUse && stats.requestedBytesInUse() == requestedBytes
      && stats.liveCount() == ids.size() && stats.bypass().current() == bypassBytes
      && stats.small().bytes().current() + stats.large().bytes().current() == bytesInUse;
    boolean pool = stats.poolBytes() == poolBytes && stats.regions().current() == holdings.slots.count()
      && stats.freeBytes() == idleBytes + stats.freeSplitBytes().current();
    boolean free = holdings.idle.bytes() == idleBytes && holdings.idle.timedBytes() == timedBytes
      && stats.largestFreeBytes() == largestFreeBytes;
    if (!held || !pool || !free) {
      throw new AssertionError(("S6 counted broken: %s but poolBytes=%d bytesInUse=%d requestedBytes=%d liveCount=%d "
        + "bypassBytes=%d idleBytes=%d timedBytes=%d largestFreeBytes=%d").formatted(stats, poolBytes, bytesInUse,
          requestedBytes, ids.size(), bypassBytes, idleBytes, timedBytes, largestFreeBytes));
    }
    if (poolBytes > stats.limitBytes()) {
      throw new AssertionError("S8 limited broken: poolBytes=%d limitBytes=%d".formatted(poolBytes,
        stats.limitBytes()));
    }
  }

  private static void require(String invariant, boolean holds, @Nullable Chunk chunk) {
    if (!holds) {
      throw new AssertionError(invariant + " broken at " + (chunk == null ? "no chunk" : chunk));
    }
  }
}
