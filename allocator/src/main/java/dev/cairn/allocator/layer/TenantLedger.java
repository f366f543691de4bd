package dev.cairn.allocator.layer;

import dev.cairn.allocator.SizedGauges;
import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.Gauge;
import dev.cairn.allocator.RunningGauge;
import org.jspecify.annotations.Nullable;

/**
 * What a tenant holds, to the byte. Safe for use by many threads; its lock is never held while upstream is asked for
 * memory.
 *
 * <p>Invariants: T1 quota: held bytes and pending ones together never exceed it. T2 sums: the gauges' counts are those
 * of the table while no call is under way.
 */
final class TenantLedger {
  private enum Way {
    POOLED,
    RESERVED
  }

  private final String tenant;
  private final long quotaBytes;
  private final HeldBlocks<Way> held = new HeldBlocks<>();
  private final SizedGauges gauges = new SizedGauges();
  private final RunningGauge bypass = new RunningGauge();
  /** What requests that are under way ask for: it may yet be held. */
  private long pendingBytes;
  /** Blocks that are being given back: counted until upstream has them. */
  private int leaving;
  private long refusals;
  private long reserves;
  private boolean closed;

  TenantLedger(String tenant, long quotaBytes) {
    this.tenant = tenant;
    this.quotaBytes = quotaBytes;
  }

  synchronized void requireOpen() {
    if (closed) {
      throw new IllegalStateException("tenant is closed: tenant=" + tenant);
    }
  }

  /** Closes it for good if nothing is held or under way; false otherwise. */
  synchronized boolean close() {
    requireOpen();
    closed = isEmpty();
    return closed;
  }

  /** Closes it, whatever is held, closed before or not: what it shares is gone. */
  synchronized void end() {
    closed = true;
  }

  /** Sets bytes aside for a request; false if the quota doesn't allow them. */
  synchronized boolean take(long bytes) {
    requireOpen();
    if (bytes > quotaBytes - usedBytes() - pendingBytes) {
      refusals++;
      return false;
    }
    pendingBytes += bytes;
    return true;
  }

  /** Undoes {@link #take}: upstream refused, or failed. */
  synchronized void putBack(long bytes, boolean refused) {
    pendingBytes -= bytes;
    refusals += refused ? 1 : 0;
  }

  /** The block that bytes were taken for has come; false, and nothing is changed, if its slack exceeds the quota. */
  synchronized boolean keep(Block block, long takenBytes, boolean reserved) {
    if (block.bytes() - takenBytes > quotaBytes - usedBytes() - pendingBytes) {
      return false;
    }
    held.put(block, reserved ? Way.RESERVED : Way.POOLED);
    pendingBytes -= takenBytes;
    gauges.granted(block.bytes(), block.requestedBytes());
    if (reserved) {
      reserves++;
      bypass.add(block.bytes());
    }
    return true;
  }

  /** Claims a block for a free, so that of two that free it one succeeds; null if it isn't held. */
  synchronized @Nullable Boolean claim(Block block) {
    Way way = held.remove(block);
    if (way == null) {
      return null;
    }
    leaving++;
    return way == Way.RESERVED;
  }

  /** Upstream would not have a claimed block: it is held as before. */
  synchronized void unclaim(Block block, boolean reserved) {
    leaving--;
    held.put(block, reserved ? Way.RESERVED : Way.POOLED);
  }

  /** Upstream has taken a claimed block. */
  synchronized void gone(Block block, boolean reserved) {
    leaving--;
    gauges.freed(block.bytes(), block.requestedBytes());
    bypass.subtract(reserved ? block.bytes() : 0);
  }

  synchronized boolean holds(Block block) {
    return held.holderOf(block) != null;
  }

  /** Whether the grant at an address is held here. */
  synchronized boolean holds(long address, long allocationId) {
    return held.has(address, allocationId);
  }

  synchronized long heldBytes() {
    return usedBytes();
  }

  /** Whether nothing is held, and nothing under way. */
  synchronized boolean isEmpty() {
    return gauges.all().count() == 0 && pendingBytes == 0;
  }

  synchronized AllocatorStats stats() {
    AllocatorStats.Blocks blocks = gauges.all().blocks();
    return new AllocatorStats(blocks, gauges.small().blocks(), gauges.large().blocks(), blocks.bytes(), blocks.count(),
      Gauge.ZERO, Gauge.ZERO, bypass.gauge(), quotaBytes, gauges.largestBytes(), 0, 0, refusals, reserves);
  }

  synchronized AllocatorStats clear() {
    AllocatorStats stats = stats();
    gauges.clear();
    bypass.clear();
    refusals = 0;
    reserves = 0;
    return stats;
  }

  synchronized void validate() {
    boolean quiet = pendingBytes == 0 && leaving == 0;
    if (pendingBytes < 0 || usedBytes() > quotaBytes - pendingBytes) {
      throw new AssertionError("T1 quota broken: tenant=%s quotaBytes=%d usedBytes=%d pendingBytes=%d".formatted(tenant,
        quotaBytes, usedBytes(), pendingBytes));
    }
    if (quiet && held.count() != gauges.all().count()) {
      throw new AssertionError("T2 sums broken: tenant=%s held=%d counted=%d".formatted(tenant, held.count(),
        gauges.all().count()));
    }
  }

  private long usedBytes() {
    return gauges.all().bytes();
  }
}
