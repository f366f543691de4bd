package dev.cairn.allocator.bfc;

import static dev.cairn.allocator.bfc.ChunkTable.NONE;

import java.util.Arrays;

/**
 * The first few free chunks of each class of one size, by address, in arrays. Not safe for many threads.
 *
 * <p>What counts with many live chunks is how many cache lines an operation waits for. The nodes of a tree are rows all
 * over the table; these arrays are some 24 KB, of which a few classes are ever used, and coming and going is a
 * step or two in one of them.
 */
final class FirstFew {
  /** How many of one class. */
  static final int MOST = 16;

  // All ones to turn the order of addresses round.
  private final long flip;
  // Those of each class from the last to the first, which leaves most often: then no other moves. Keys are addresses.
  private final long[] keys = new long[SizeClasses.EXACT_COUNT * MOST];
  private final int[] members = new int[SizeClasses.EXACT_COUNT * MOST];
  private final int[] counts = new int[SizeClasses.EXACT_COUNT];

  FirstFew(long flip) {
    this.flip = flip;
  }

  boolean isEmpty(int sizeClass) {
    return counts[sizeClass] == 0;
  }

  boolean isFull(int sizeClass) {
    return counts[sizeClass] == MOST;
  }

  /** The first of a class that has one. */
  int first(int sizeClass) {
    return members[sizeClass * MOST + counts[sizeClass] - 1];
  }

  /** The last of a class that has one. */
  int last(int sizeClass) {
    return members[sizeClass * MOST];
  }

  /** Whether a chunk at {@code address} is the last here, or before it; the class has one. */
  boolean reaches(int sizeClass, long address) {
    return (address ^ flip) <= keys[sizeClass * MOST];
  }

  /** Takes in a chunk, for which there is room. */
  void add(int sizeClass, long address, int chunk) {
    long key = address ^ flip;
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
    int begin = sizeClass * MOST;
    int last = members[begin];
    close(begin, sizeClass);
    return last;
  }

  /** Takes out a chunk that is here. */
  void remove(int sizeClass, int chunk) {
    close(place(sizeClass, chunk), sizeClass);
  }

  private void close(int gap, int sizeClass) {
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
    int begin = sizeClass * MOST;
    int[] backwards = Arrays.copyOfRange(members, begin, begin + counts[sizeClass]);
    int[] inOrder = new int[backwards.length];
    for (int i = 0; i < inOrder.length; i++) {
      inOrder[i] = backwards[inOrder.length - 1 - i];
    }
    return inOrder;
  }

  void copyFrom(FirstFew other) {
    System.arraycopy(other.keys, 0, keys, 0, keys.length);
    System.arraycopy(other.members, 0, members, 0, members.length);
    System.arraycopy(other.counts, 0, counts, 0, counts.length);
  }
}
