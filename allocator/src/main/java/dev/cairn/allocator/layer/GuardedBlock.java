package dev.cairn.allocator.layer;

import dev.cairn.allocator.Block;
import dev.cairn.allocator.Owner;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;

/**
 * A block between its red zones, which are filled with a pattern. Not safe for many threads.
 *
 * <pre>  | red zone | requested bytes | red zone | slack |
 *   inner.address                                       inner end
 *              outer.address                            outer end </pre>
 *
 * @param inner what upstream granted
 * @param outer what the holder was given; the same where the host can't write
 * @param owner its holder
 */
record GuardedBlock(Block inner, Block outer, Owner owner) {
  private static final byte ZONE = (byte) 0xFA;
  private static final byte FRESH = (byte) 0xCD;
  private static final byte FREED = (byte) 0xDD;

  /** Fills the zones, and the block with a byte by which reads before writes are recognised. */
  void prepare() {
    if (isGuarded()) {
      inner.segment().fill(FRESH);
      drawZones();
    }
  }

  void drawZones() {
    if (isGuarded()) {
      inner.segment().asSlice(0, frontBytes()).fill(ZONE);
      inner.segment().asSlice(backOffset()).fill(ZONE);
    }
  }

  /** Overwrites the block with one byte, by which late reads are recognised. */
  void wipe() {
    if (isGuarded()) {
      inner.segment().fill(FREED);
    }
  }

  long frontBytes() {
    return outer.address() - inner.address();
  }

  private boolean isGuarded() {
    return frontBytes() > 0;
  }

  private long backOffset() {
    return frontBytes() + outer.requestedBytes();
  }

  /** The damage that the zones show, if any. */
  Optional<Damage> damage() {
    if (!isGuarded()) {
      return Optional.empty();
    }
    MemorySegment all = inner.segment();
    long first = -1;
    long count = 0;
    for (long at = 0; at < all.byteSize(); at++) {
      if (at == frontBytes()) {
        at = backOffset();
      }
      if (all.get(ValueLayout.JAVA_BYTE, at) != ZONE) {
        first = first < 0 ? at : first;
        count++;
      }
    }
    return count == 0
      ? Optional.empty()
      : Optional.of(new Damage(owner, outer.allocationId(), outer.address(), outer.requestedBytes(),
        first - frontBytes(), count));
  }
}
