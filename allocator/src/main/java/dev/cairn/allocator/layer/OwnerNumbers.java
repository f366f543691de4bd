package dev.cairn.allocator.layer;

import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.MemoryMapBuilder;

/** Numbers the owners of one map in another, in the order in which they occur. Not safe for many threads. */
final class OwnerNumbers {
  private final MemoryMap from;
  private final MemoryMapBuilder to;
  private final int[] numbers;

  OwnerNumbers(MemoryMap from, MemoryMapBuilder to) {
    this.from = from;
    this.to = to;
    this.numbers = new int[from.owners().size()];
  }

  /** The number in the other map of a chunk's owner. */
  int of(int chunk) {
    int owner = from.ownerNumber(chunk);
    if (owner > 0 && numbers[owner] == 0) {
      numbers[owner] = to.owner(from.owner(chunk));
    }
    return numbers[owner];
  }
}
