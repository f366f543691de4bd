package dev.cairn.allocator.bfc;

import static dev.cairn.allocator.bfc.ChunkTable.NONE;

/**
 * The first few free chunks of an exact size class, by address, in arrays, where there are several. Not safe for many
 * threads.
 */
final class FirstFew {
  // Implementation note. With many live chunks what counts is the cache lines that an operation waits for. A tree's
  // nodes are rows all over the table; these arrays are some 24 KB, a pool uses those of a few classes, and to add or
  // remove a chunk takes a few steps in one of them.

  /** How many of a class there may be. */
  static final int MOST = 16;

  private final long flip;
  // Each class's, last to first: the first leaves most often, and then no other moves. Keys are addresses, turned round
  // by flip.
  private final long[] keys = new long[SizeClasses.EXACT_COUNT * MOST];
  private final int[] members = new int[SizeClasses.EXACT_COUNT * MOST];
  private final int[] counts = new int[SizeClasses.EXACT_COUNT];

  /** @param flip {@link Treap#LOWEST_FIRST} or {@link Treap#HIGHEST_FIRST} */
  FirstFew(long flip) {
    this.flip = flip;
  }

  boolean isEmpty(int sizeClass) {
    return counts[sizeClass] == 0;
  }

  boolean isFull(int sizeClass) {
    return counts[sizeClass] == MOST;
  }

  /** The first of a class; {@link ChunkTable#NONE} where there is none. */
  int first(int sizeClass) {
    int count = counts[sizeClass];
    return count == 0 ? NONE : members[sizeClass * MOST + count - 1];
  }

  /** The last of a class that has one. */
  int last(int sizeClass) {
    return members[sizeClass * MOST];
  }

  /** Whether {@code address} isn't behind the last here; the class has one. */
  boolean reaches(int sizeClass, long address) {
    return key(address) <= keys[sizeClass * MOST];
  }

  private long key(long address) {
    return address ^ flip;
  }

  /** Takes in a chunk, for which there is room. */
  void add(int sizeClass, long address, int chunk) {
    long key = key(address);
    int begin = sizeClass * MOST;
    int at = begin + counts[sizeClass]++;
    for (; at > begin && keys[at - 1] < key; at--) {
      keys[at] = keys[at - 1];
      members[at] = members[at - 1];
    }
    keys[at] = key;
    members[at] = chunk;
  }

  /** Takes out the last of a class that has one. */
  int takeLast(int sizeClass) {
    int last = last(sizeClass);
    closeGap(sizeClass, sizeClass * MOST);
    return last;
  }

  /** Takes out the first of a class that has one; says whether it was the only one. */
  boolean removeFirst(int sizeClass) {
    return --counts[sizeClass] == 0;
  }

  /** Takes out a chunk that is here. */
  void remove(int sizeClass, int chunk) {
    closeGap(sizeClass, place(sizeClass, chunk));
  }

  private void closeGap(int sizeClass, int gap) {
    int end = sizeClass * MOST + --counts[sizeClass];
    for (int at = gap; at < end; at++) {
      keys[at] = keys[at + 1];
      members[at] = members[at + 1];
    }
  }

  /** The chunk after one that is here; {@link ChunkTable#NONE} after the last. */
  int after(int sizeClass, int chunk) {
    int place = place(sizeClass, chunk);
    return place == sizeClass * MOST ? NONE : members[place - 1];
  }

  private int place(int sizeClass, int chunk) {
    int place = sizeClass * MOST + counts[sizeClass] - 1;
    while (members[place] != chunk) {
      place--;
    }
    return place;
  }

  /** Those of a class, the first one first. */
  int[] inOrder(int sizeClass) {
    int[] inOrder = new int[counts[sizeClass]];
    for (int i = 0; i < inOrder.length; i++) {
      inOrder[i] = members[sizeClass * MOST + inOrder.length - 1 - i];
    }
    return inOrder;
  }

  /** Whether the address that a chunk which is here was taken in with is the one that it has. */
  boolean isKeyed(ChunkTable chunks, int sizeClass, int chunk) {
    return keys[place(sizeClass, chunk)] == key(chunks.address(chunk));
  }

  void copyFrom(FirstFew other) {
    System.arraycopy(other.keys, 0, keys, 0, keys.length);
    System.arraycopy(other.members, 0, members, 0, members.length);
    System.arraycopy(other.counts, 0, counts, 0, counts.length);
  }
}
