package dev.cairn.allocator.storage;

import dev.cairn.allocator.AllocationRequest;
import java.util.Collections;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The chunks that no block holds: on a stack for each length, and all in the order in which they were freed. Putting
 * one in and taking one out needs no heap memory, so that a free can't fail for the lack of it. Times only grow along
 * the order, so those whose time still matters are its end. Guarded by the allocator's lock.
 */
final class IdleChunks {
  private final TreeMap<Long, ChunkStack> stacks = new TreeMap<>();
  private @Nullable Chunk oldest;
  private @Nullable Chunk newest;
  private @Nullable Chunk oldestTimed;
  private long bytes;
  private long timedBytes;
  private long safeFrontier;

  /** The stack for a new chunk of {@code chunkBytes}; counts it. */
  ChunkStack stackForNew(long chunkBytes) {
    ChunkStack stack = stacks.computeIfAbsent(chunkBytes, ChunkStack::new);
    stack.chunkCount++;
    return stack;
  }

  /** One chunk of that stack is gone for good. */
  void forget(ChunkStack stack) {
    stack.chunkCount--;
    if (stack.chunkCount == 0) {
      stacks.remove(stack.key);
    }
  }

  /** Puts in a chunk freed at {@code stamp}, 0 where that doesn't matter; no stamp is less than the one before. */
  void push(Chunk chunk, long stamp, long nowNanos) {
    chunk.freedAt = stamp < safeFrontier ? 0 : stamp;
    chunk.idleSinceNanos = nowNanos;
    chunk.stack.push(chunk);
    Chunk before = newest;
    chunk.older = before;
    chunk.newer = null;
    if (before == null) {
      oldest = chunk;
    } else {
      before.newer = chunk;
    }
    newest = chunk;
    bytes += chunk.region.bytes();
    if (chunk.freedAt > 0) {
      timedBytes += chunk.region.bytes();
      oldestTimed = oldestTimed == null ? chunk : oldestTimed;
    }
  }

  void remove(Chunk chunk) {
    chunk.stack.remove(chunk);
    if (chunk.freedAt > 0) {
      timedBytes -= chunk.region.bytes();
      oldestTimed = oldestTimed == chunk ? chunk.newer : oldestTimed;
    }
    bytes -= chunk.region.bytes();
    Chunk before = chunk.older;
    Chunk after = chunk.newer;
    if (before == null) {
      oldest = after;
    } else {
      before.newer = after;
    }
    if (after == null) {
      newest = before;
    } else {
      after.older = before;
    }
    chunk.older = null;
    chunk.newer = null;
    chunk.freedAt = 0;
  }

  /**
   * A chunk of just {@code chunkBytes} that was freed in time: the one freed last if that will do, else the one freed
   * first, which has the best chance; those between are not searched.
   */
  @Nullable
  Chunk find(long chunkBytes, long freedBefore) {
    ChunkStack stack = stacks.get(chunkBytes);
    if (stack == null || isInTime(stack.top, freedBefore)) {
      return stack == null ? null : stack.top;
    }
    return isInTime(stack.bottom, freedBefore) ? stack.bottom : null;
  }

  private static boolean isInTime(@Nullable Chunk chunk, long freedBefore) {
    return chunk != null && (freedBefore == AllocationRequest.ANY_TIME || chunk.freedAt <= freedBefore);
  }

  /** Memory that was freed before {@code time} is free for all from now on. */
  void passed(long time) {
    safeFrontier = Math.max(safeFrontier, time);
    Chunk chunk = oldestTimed;
    while (chunk != null && chunk.freedAt < safeFrontier) {
      chunk.freedAt = 0;
      timedBytes -= chunk.region.bytes();
      chunk = chunk.newer;
    }
    oldestTimed = chunk;
  }

  @Nullable
  Chunk oldest() {
    return oldest;
  }

  @Nullable
  Chunk newest() {
    return newest;
  }

  @Nullable
  Chunk oldestTimed() {
    return oldestTimed;
  }

  long safeFrontier() {
    return safeFrontier;
  }

  long bytes() {
    return bytes;
  }

  /** Bytes of those whose time still matters. */
  long timedBytes() {
    return timedBytes;
  }

  /** The longest idle chunk; costs a step for each longer length that only held chunks have. */
  long largestBytes() {
    for (ChunkStack stack : stacks.descendingMap().values()) {
      if (stack.top != null) {
        return stack.key;
      }
    }
    return 0;
  }

  NavigableMap<Long, ChunkStack> stacks() {
    return Collections.unmodifiableNavigableMap(stacks);
  }
}
