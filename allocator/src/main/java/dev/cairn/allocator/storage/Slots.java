package dev.cairn.allocator.storage;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Every chunk of one allocator, under a number that its holders know it by. Guarded by the allocator's lock. */
final class Slots {
  private @Nullable Chunk[] rows = new @Nullable Chunk[16];
  // A stack of the numbers below `used` that have no chunk. It is as long as the rows, so that vacating a row needs no
  // memory.
  private int[] vacant = new int[16];
  private int vacantCount;
  private int used;

  void add(Chunk chunk) {
    if (vacantCount == 0 && used == rows.length) {
      int[] longerVacant = Arrays.copyOf(vacant, used * 2);
      rows = Arrays.copyOf(rows, used * 2);
      vacant = longerVacant;
    }
    chunk.slot = vacantCount > 0 ? vacant[--vacantCount] : used++;
    rows[chunk.slot] = chunk;
  }

  void remove(Chunk chunk) {
    rows[chunk.slot] = null;
    vacant[vacantCount++] = chunk.slot;
  }

  @Nullable
  Chunk at(int slot) {
    return slot >= 0 && slot < used ? rows[slot] : null;
  }

  int count() {
    return used - vacantCount;
  }

  /** All chunks, in the order of their numbers. */
  Stream<Chunk> stream() {
    return Arrays.stream(rows, 0, used).filter(Objects::nonNull).map(Objects::requireNonNull);
  }

  Chunk[] inAddressOrder() {
    return stream().sorted(Comparator.comparingLong((Chunk chunk) -> chunk.region.address())).toArray(Chunk[]::new);
  }

  /** The chunk whose region has {@code address}; looks at all: for diagnosis. */
  @Nullable
  Chunk holding(long address) {
    return stream().filter(chunk -> address >= chunk.region.address() && address < chunk.region.endAddress())
      .findFirst().orElse(null);
  }
}
