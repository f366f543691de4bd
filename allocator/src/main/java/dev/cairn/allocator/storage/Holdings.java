package dev.cairn.allocator.storage;

import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.Listeners;
import dev.cairn.allocator.Owner;
import dev.cairn.allocator.TrimPolicy;
import dev.cairn.allocator.source.Region;
import dev.cairn.allocator.source.SubAllocator;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The regions that one storage manager has: takes them from the source, gives them to blocks, has them back and returns
 * them. Whatever the source throws, the invariants, which are {@link HoldingsCheck}'s, hold after it.
 * Guarded by the allocator's lock.
 */
final class Holdings {
  private static final Logger LOG = LoggerFactory.getLogger(Holdings.class);

  final Slots slots = new Slots();
  final IdleChunks idle = new IdleChunks();
  final Figures figures;
  final SubAllocator source;
  final StorageOptions options;
  final AllocationListener listener;
  private final LongSupplier stamps;
  private final LongSupplier nanoTime;

  /**
   * No regions yet.
   *
   * @param stamps gives what a free is stamped with; 0 where time doesn't matter
   * @param nanoTime the clock that idleness is measured by
   */
  Holdings(SubAllocator source, StorageOptions options, AllocationListener listener, LongSupplier stamps,
    LongSupplier nanoTime) {
    this.source = source;
    this.options = options;
    this.listener = Listeners.of(listener);
    this.stamps = stamps;
    this.nanoTime = nanoTime;
    this.figures = new Figures(options.poolLimitBytes());
  }

  /** A new idle chunk of {@code bytes}; null when limit or source don't allow it. */
  @Nullable
  Chunk take(long bytes) {
    if (bytes > options.poolLimitBytes() - figures.poolBytes() || bytes > source.maximumRegionBytes()) {
      return null;
    }
    Region region = source.allocate(bytes);
    if (region == null) {
      return null;
    }
    Chunk chunk = adopted(region);
    listener.regionAdded(region.address(), bytes);
    return chunk;
  }

  private Chunk adopted(Region region) {
    ChunkStack stack = null;
    Chunk chunk;
    try {
      stack = idle.stackForNew(region.bytes());
      chunk = new Chunk(region, stack);
      slots.add(chunk);
    } catch (Throwable e) {
      // The heap is full: a region that is not listed would be lost.
      if (stack != null) {
        idle.forget(stack);
      }
      source.release(region);
      throw e;
    }
    figures.regionAdded(region.bytes());
    // The new chunk was never in use. It is put at the end of the order, in which times must not decrease.
    idle.push(chunk, idle.oldestTimed() == null ? 0 : stamps.getAsLong(), nanoTime.getAsLong());
    return chunk;
  }

  /** Gives an idle chunk to the next block. */
  void hold(Chunk chunk, long requestedBytes, long prefixBytes, Owner owner) {
    idle.remove(chunk);
    chunk.hold(figures.nextAllocationId(), requestedBytes, prefixBytes, owner);
    figures.held(chunk);
  }

  /** A block's chunk is idle again. */
  void makeIdle(Chunk chunk) {
    long stamp = stamps.getAsLong();
    long nowNanos = nanoTime.getAsLong();
    figures.letGo(chunk);
    chunk.letGo();
    idle.push(chunk, stamp, nowNanos);
  }

  /** Gives a chunk, held or idle, back to the source; when the source throws, all stays as it was. */
  void giveBack(Chunk chunk) {
    source.release(chunk.region);
    forget(chunk);
  }

  /**
   * Gives idle chunks back, the longest idle first, as far as the policy allows; regions that the source refuses stay.
   */
  long giveBackIdle(TrimPolicy policy) {
    long given = 0;
    long nowNanos = nanoTime.getAsLong();
    Chunk chunk = idle.oldest();
    while (chunk != null && chunk.freedAt == 0 && idle.bytes() - chunk.region.bytes() >= policy.keepFreeBytes()
      && Duration.ofNanos(nowNanos - chunk.idleSinceNanos).compareTo(policy.idleFor()) >= 0) {
      Chunk newer = chunk.newer;
      given += taken(chunk) ? chunk.region.bytes() : 0;
      chunk = newer;
    }
    return given;
  }

  private boolean taken(Chunk chunk) {
    try {
      source.release(chunk.region);
    } catch (RuntimeException e) {
      LOG.warn("the source did not take a region back; it stays in the pool: {} ({})", chunk, e.toString());
      return false;
    }
    forget(chunk);
    return true;
  }

  private void forget(Chunk chunk) {
    long id = chunk.allocationId;
    long address = chunk.blockAddress();
    long bytes = chunk.blockBytes();
    if (chunk.isHeld()) {
      figures.letGo(chunk);
      chunk.letGo();
    } else {
      idle.remove(chunk);
    }
    slots.remove(chunk);
    idle.forget(chunk.stack);
    figures.regionReleased(chunk.region.bytes());
    if (id != Chunk.NOT_HELD) {
      listener.freed(id, address, bytes);
    }
    listener.regionReleased(chunk.region.address(), chunk.region.bytes());
  }

  /** The bytes by which the pool may still grow once it has returned all idle memory whose time has passed. */
  long attainableBytes() {
    return options.poolLimitBytes() - figures.poolBytes() + idle.bytes() - idle.timedBytes();
  }
}
