package dev.cairn.allocator.layer;

import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.MemoryMap;
import org.jspecify.annotations.Nullable;

/**
 * Who holds which block, by address: of two blocks held at one time no two have the same. Puts nothing on the heap
 * while it doesn't grow. Not safe for many threads.
 */
final class HeldBlocks<H> {
  // Implementation note. Open addressing with linear probing in a table at most half full; a removal moves the entries
  // behind it up, so that no tombstones gather (Knuth, TAOCP 3, 6.4, algorithm R). An address alone is not enough to
  // know a block by, as a freed block's address may be granted again: the grant's id, which is never reused, is
  // compared. All else that a block says is upstream's to check.

  private long[] addresses = new long[16];
  private long[] ids = new long[16];
  private @Nullable Object[] holders = new @Nullable Object[16];
  private int count;

  int count() {
    return count;
  }

  /** Notes that {@code holder} has the block; answers who had a block at its address, which must have been freed. */
  @Nullable
  H put(Block block, H holder) {
    if (count * 2 >= addresses.length) {
      grow();
    }
    int slot = slotOf(block.address());
    H before = holderIn(slot);
    if (before == null) {
      count++;
    }
    set(slot, block.address(), block.allocationId(), holder);
    return before;
  }

  /** Who has the block; null if nobody has. */
  @Nullable
  H holderOf(Block block) {
    int slot = slotOf(block.address());
    return ids[slot] == block.allocationId() ? holderIn(slot) : null;
  }

  /** Whether the grant at an address is one of these. */
  boolean has(long address, long allocationId) {
    int slot = slotOf(address);
    return holders[slot] != null && ids[slot] == allocationId;
  }

  /** Forgets the block; answers who had it, null if nobody had. */
  @Nullable
  H remove(Block block) {
    int slot = slotOf(block.address());
    H holder = holderIn(slot);
    if (holder == null || ids[slot] != block.allocationId()) {
      return null;
    }
    count--;
    closeGapAt(slot);
    return holder;
  }

  /**
   * Whether upstream still holds a block whose free failed. Looks through the whole map, as nothing else tells: for use
   * after a failure. If even that can't be learned, the block counts as held.
   */
  static boolean isHeld(Allocator upstream, Block block) {
    MemoryMap map;
    try {
      map = upstream.memoryMap();
    } catch (RuntimeException | Error e) {
      return true;
    }
    for (int chunk = 0; chunk < map.chunkCount(); chunk++) {
      if (map.address(chunk) == block.address() && map.isInUse(chunk)) {
        return map.allocationId(chunk) == block.allocationId();
      }
    }
    return false;
  }

  private void closeGapAt(int removed) {
    int mask = addresses.length - 1;
    int gap = removed;
    for (int slot = (gap + 1) & mask; holders[slot] != null; slot = (slot + 1) & mask) {
      int home = homeOf(addresses[slot]);
      // An entry may move up to the gap unless its home lies behind the gap.
      if (((slot - home) & mask) >= ((slot - gap) & mask)) {
        set(gap, addresses[slot], ids[slot], holders[slot]);
        gap = slot;
      }
    }
    holders[gap] = null;
  }

  private void set(int slot, long address, long id, @Nullable Object holder) {
    addresses[slot] = address;
    ids[slot] = id;
    holders[slot] = holder;
  }

  @SuppressWarnings("unchecked")
  private @Nullable H holderIn(int slot) {
    return (H) holders[slot];
  }

  /** Where the address is, or would be. */
  private int slotOf(long address) {
    int mask = addresses.length - 1;
    int slot = homeOf(address);
    while (holders[slot] != null && addresses[slot] != address) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private int homeOf(long address) {
    return (int) (hash(address) >>> 32) & (addresses.length - 1);
  }

  /** Spreads addresses, which share their low bits and often their high ones (Fibonacci hashing). */
  static long hash(long address) {
    return (address >>> 8 ^ address >>> 40) * 0x9E37_79B9_7F4A_7C15L;
  }

  private void grow() {
    long[] oldAddresses = addresses;
    long[] oldIds = ids;
    @Nullable
    Object[] oldHolders = holders;
    int length = oldAddresses.length * 2;
    long[] newAddresses = new long[length];
    long[] newIds = new long[length];
    @Nullable
    Object[] newHolders = new @Nullable Object[length];
    addresses = newAddresses;
    ids = newIds;
    holders = newHolders;
    for (int i = 0; i < oldAddresses.length; i++) {
      if (oldHolders[i] != null) {
        set(slotOf(oldAddresses[i]), oldAddresses[i], oldIds[i], oldHolders[i]);
      }
    }
  }
}
