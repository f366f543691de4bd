package dev.cairn.allocator.storage;

import dev.cairn.allocator.Owner;
import dev.cairn.allocator.source.Region;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * One region and its holder: a block, or the idle ones. A held chunk may have a prefix, which brings the block to its
 * alignment and which no block can use. Guarded by the allocator's lock.
 */
final class Chunk {
  /** The allocation id of a chunk that no block holds. */
  static final long NOT_HELD = -1;

  final Region region;
  final ChunkStack stack;
  int slot;

  long allocationId = NOT_HELD;
  long requestedBytes;
  long prefixBytes;
  Owner owner = Owner.NONE;
  boolean isBypass;
  /** The segment of the last block in host memory: the next block mostly asks for as many bytes. */
  private MemorySegment segment = MemorySegment.NULL;

  // The time of its free by the shared counter, as long as it matters, and the time by the clock.
  long freedAt;
  long idleSinceNanos;
  // Neighbours among all idle chunks, and among idle chunks of the same length.
  @Nullable
  Chunk older;
  @Nullable
  Chunk newer;
  @Nullable
  Chunk below;
  @Nullable
  Chunk above;

  Chunk(Region region, ChunkStack stack) {
    this.region = region;
    this.stack = stack;
  }

  /** The bytes of a block behind a prefix. */
  MemorySegment segment(long afterPrefixBytes, long bytes) {
    long address = region.address() + afterPrefixBytes;
    if (segment.byteSize() != bytes || segment.address() != address) {
      segment = region.segment().asSlice(afterPrefixBytes, bytes);
    }
    return segment;
  }

  boolean isHeld() {
    return allocationId != NOT_HELD;
  }

  long blockAddress() {
    return region.address() + prefixBytes;
  }

  long blockBytes() {
    return region.bytes() - prefixBytes;
  }

  /** The handle of its holder: the slot, and which grant of it. */
  long handle() {
    return handle(slot, allocationId);
  }

  static long handle(int slot, long allocationId) {
    return (allocationId & Integer.MAX_VALUE) << 32 | slot;
  }

  static int slotOf(long handle) {
    return (int) handle;
  }

  void hold(long byAllocationId, long byRequestedBytes, long atPrefixBytes, Owner byOwner) {
    allocationId = byAllocationId;
    requestedBytes = byRequestedBytes;
    prefixBytes = atPrefixBytes;
    owner = byOwner;
  }

  void letGo() {
    hold(NOT_HELD, 0, 0, Owner.NONE);
    isBypass = false;
  }

  @Override
  public String toString() {
    String state = isHeld()
      ? "held id=%d owner=%s requestedBytes=%d prefixBytes=%d".formatted(allocationId, owner,
        requestedBytes, prefixBytes)
      : "idle freedAt=%d".formatted(freedAt);
    return "chunk slot=%d address=0x%x bytes=%d %s".formatted(slot, region.address(), region.bytes(), state);
  }
}
