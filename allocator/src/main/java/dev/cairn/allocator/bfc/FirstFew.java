package dev.cairn.allocator.bfc;

import static dev.cairn.allocator.bfc.ChunkTable.NONE;

/** The first few free chunks of each exact size class, by address, in arrays. Not safe for many threads. */
final class FirstFew {
  // Implementation note. With many live chunks what counts is the cache lines that an operation waits for. A tree's
  // nodes are rows all over the table; these arrays are some 24 KB, a pool uses those of a few classes, and to add or
  // remove a chunk takes a few steps in one of them.

  /** How many of a class there may be. */
  static final int MOST = 16;

  private static final long EMPTY = 0;

  private final long flip;
  // How many there are of each class, and the first: enough for a class of one.
  private final long[] heads = new long[SizeClasses.EXACT_COUNT];
  // Each class's, last to first: the first leaves most often, and then no other moves. Keys are addresses, turned round
  // by flip.
  private final long[] keys = new long[SizeClasses.EXACT_COUNT * MOST];
  private final int[] members = new int[SizeClasses.EXACT_COUNT * MOST];

  /** @param flip {@link Treap#LOWEST_FIRST} or {@link Treap#HIGHEST_FIRST} */
  FirstFew(long flip) {
    this.flip = flip;
  }

  boolean isEmpty(int sizeClass) {
    return heads[sizeClass] == EMPTY;
  }

  /** Whether a chunk is here, and no other of its class. */
  boolean isAlone(int sizeClass, int chunk) {
    return heads[sizeClass] == TreeRows.pair(1, chunk);
  }

  boolean isFull(int sizeClass) {
    return count(sizeClass) == MOST;
  }

  private int count(int sizeClass) {
    return TreeRows.high(heads[sizeClass]);
  }

  /** The first of a class that has one. */
  int first(int sizeClass) {
    return (int) heads[sizeClass];
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
    int count = count(sizeClass);
    int at = begin + count;
    for (; at > begin && keys[at - 1] < key; at--) {
      keys[at] = keys[at - 1];
      members[at] = members[at - 1];
    }
    keys[at] = key;
    members[at] = chunk;
    heads[sizeClass] = TreeRows.pair(count + 1, at == begin + count ? chunk : first(sizeClass));
  }

  /** Takes out the last of a class that has one. */
  int takeLast(int sizeClass) {
    int last = last(sizeClass);
    closeGap(sizeClass, sizeClass * MOST);
    return last;
  }

  /** Takes out the first of a class that has one. */
  void removeFirst(int sizeClass) {
    shorten(sizeClass, count(sizeClass) - 1);
  }

  /** Takes out all of a class. */
  void clear(int sizeClass) {
    heads[sizeClass] = EMPTY;
  }

  /** Takes out a chunk that is here. */
  void remove(int sizeClass, int chunk) {
    closeGap(sizeClass, place(sizeClass, chunk));
  }

  private void closeGap(int sizeClass, int gap) {
    int left = count(sizeClass) - 1;
    int end = sizeClass * MOST + left;
    for (int at = gap; at < end; at++) {
      keys[at] = keys[at + 1];
      members[at] = members[at + 1];
    }
    shorten(sizeClass, left);
  }

  private void shorten(int sizeClass, int left) {
    heads[sizeClass] = left == 0 ? EMPTY : TreeRows.pair(left, members[sizeClass * MOST + left - 1]);
  }

  /** The chunk after one that is here; {@link ChunkTable#NONE} after the last. */
  int after(int sizeClass, int chunk) {
    int place = place(sizeClass, chunk);
    return place == sizeClass * MOST ? NONE : members[place - 1];
  }

  private int place(int sizeClass, int chunk) {
    int place = sizeClass * MOST + count(sizeClass) - 1;
    while (members[place] != chunk) {
      place--;
    }
    return place;
  }

  /** Those of a class, the first one first. */
  int[] inOrder(int sizeClass) {
    int[] inOrder = new int[count(sizeClass)];
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
    System.arraycopy(other.heads, 0, heads, 0, heads.length);
  }
}
