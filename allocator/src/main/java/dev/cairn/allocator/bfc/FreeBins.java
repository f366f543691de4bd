package dev.cairn.allocator.bfc;

import static dev.cairn.allocator.bfc.ChunkTable.NONE;

/**
 * The free chunks, by size class, in the order of size and then address. Not safe for many threads.
 *
 * <p>The first few of a class of one size are in {@link FirstFew}, all that come after them in its tree; whatever class
 * isn't empty has a first. Classes of more than one size have only trees.
 */
final class FreeBins {
  // Implementation note. Classes divide by size, so the best fit is the first chunk of the first class that isn't
  // empty, but for classes of more than one size, where the wanted one's own tree is searched; chunks that are too
  // small cost nothing. A class of one size hands out its first chunk, and most that come are soon handed out again:
  // few ever see a tree. When its few are used up, half as many as there is room for come out of its tree.
  // The table comes with each call, here and in all else that a grant passes through: were it a field, the compiler
  // couldn't know it for the same in each, and would look up and check its arrays in each: 15 of 76 ns for a pair.

  private static final int REFILL = FirstFew.MOST / 2;

  private final FirstFew few;
  private final ClassTrees trees;
  private final ClassSet occupied = new ClassSet();
  private int count;

  FreeBins() {
    this(0);
  }

  private FreeBins(long flip) {
    this.few = new FirstFew(flip);
    this.trees = new ClassTrees(flip);
  }

  /** Bins in which the highest of equally long chunks comes first. */
  static FreeBins highestFirst() {
    return new FreeBins(-1);
  }

  /** The smallest chunk of at least {@code bytes}, of those the lowest; {@link ChunkTable#NONE} if there is none. */
  int bestFit(ChunkTable chunks, long bytes) {
    int sizeClass = SizeClasses.of(bytes);
    int found = occupied.atLeast(sizeClass);
    if (found == sizeClass && !SizeClasses.isExact(sizeClass)) {
      int chunk = trees.firstAtLeast(chunks, sizeClass, bytes);
      if (chunk != NONE) {
        return chunk;
      }
      found = occupied.atLeast(sizeClass + 1);
    }
    return found < 0 ? NONE : first(found);
  }

  /** The last chunk that is as long as one that is here. */
  int lastAsLong(ChunkTable chunks, int chunk) {
    long bytes = chunks.bytes(chunk);
    int sizeClass = SizeClasses.of(bytes);
    // As long in the end, for the given one is among those that aren't longer.
    int last = trees.lastAtMost(chunks, sizeClass, bytes);
    return last == NONE ? few.last(sizeClass) : last;
  }

  /** The chunk that comes after one that is here, by size and address; {@link ChunkTable#NONE} after the last. */
  int after(ChunkTable chunks, int chunk) {
    int sizeClass = SizeClasses.of(chunks.bytes(chunk));
    int after;
    if (isAmongFew(chunks, sizeClass, chunk)) {
      after = few.after(sizeClass, chunk);
      after = after == NONE ? trees.first(sizeClass) : after;
    } else {
      after = trees.after(chunks, chunk);
    }
    if (after != NONE) {
      return after;
    }
    int next = occupied.atLeast(sizeClass + 1);
    return next < 0 ? NONE : first(next);
  }

  private boolean isAmongFew(ChunkTable chunks, int sizeClass, int chunk) {
    return SizeClasses.isExact(sizeClass) && few.reaches(sizeClass, chunks.address(chunk));
  }

  /** Length of the largest free chunk; 0 if none is free. */
  long largestBytes(ChunkTable chunks) {
    if (occupied.isEmpty()) {
      return 0;
    }
    int sizeClass = occupied.largest();
    return chunks.bytes(SizeClasses.isExact(sizeClass) ? few.first(sizeClass) : trees.last(chunks, sizeClass));
  }

  /** How many chunks are here. */
  int count() {
    return count;
  }

  /** Takes in a free chunk; its length and address stay the same until it is removed or resized. */
  void insert(ChunkTable chunks, int chunk) {
    count++;
    int sizeClass = SizeClasses.of(chunks.bytes(chunk));
    if (SizeClasses.isExact(sizeClass)) {
      insertExact(chunks, sizeClass, chunk);
    } else {
      occupied.add(sizeClass);
      trees.insert(chunks, sizeClass, chunk);
    }
  }

  private void insertExact(ChunkTable chunks, int sizeClass, int chunk) {
    long address = chunks.address(chunk);
    if (few.isEmpty(sizeClass)) {
      occupied.add(sizeClass);
    } else if (few.isFull(sizeClass) || !trees.isEmpty(sizeClass)) {
      if (!few.reaches(sizeClass, address)) {
        trees.insert(chunks, sizeClass, chunk);
        return;
      }
      if (few.isFull(sizeClass)) {
        trees.insert(chunks, sizeClass, few.takeLast(sizeClass));
      }
    }
    few.add(sizeClass, address, chunk);
  }

  /** Takes out a chunk that is here. */
  void remove(ChunkTable chunks, int chunk) {
    count--;
    int sizeClass = SizeClasses.of(chunks.bytes(chunk));
    if (isAmongFew(chunks, sizeClass, chunk)) {
      few.remove(sizeClass, chunk);
      if (few.isEmpty(sizeClass)) {
        refill(chunks, sizeClass);
      }
    } else {
      trees.remove(chunks, sizeClass, chunk);
      if (trees.isEmpty(sizeClass) && !SizeClasses.isExact(sizeClass)) {
        occupied.remove(sizeClass);
      }
    }
  }

  private void refill(ChunkTable chunks, int sizeClass) {
    if (trees.isEmpty(sizeClass)) {
      occupied.remove(sizeClass);
      return;
    }
    for (int left = REFILL; left > 0 && !trees.isEmpty(sizeClass); left--) {
      int chunk = trees.first(sizeClass);
      trees.remove(chunks, sizeClass, chunk);
      few.add(sizeClass, chunks.address(chunk), chunk);
    }
  }

  /** Gives a chunk that is here another range; it keeps its place where that is the same. */
  void resize(ChunkTable chunks, int chunk, long newAddress, long newBytes) {
    int oldClass = SizeClasses.of(chunks.bytes(chunk));
    int newClass = SizeClasses.of(newBytes);
    // Alone in its class before and after: the usual case of the one large chunk that others are cut from.
    boolean hasTrees = !SizeClasses.isExact(oldClass) && !SizeClasses.isExact(newClass);
    if (hasTrees && trees.isAlone(chunks, oldClass, chunk) && (oldClass == newClass || trees.isEmpty(newClass))) {
      chunks.setRange(chunk, newAddress, newBytes);
      if (oldClass != newClass) {
        trees.move(oldClass, newClass);
        occupied.remove(oldClass);
        occupied.add(newClass);
      }
    } else {
      remove(chunks, chunk);
      chunks.setRange(chunk, newAddress, newBytes);
      insert(chunks, chunk);
    }
  }

  /** Whether {@code a} comes before {@code b} by size, and by address among equals. */
  boolean isBefore(ChunkTable chunks, int a, int b) {
    return trees.isBefore(chunks, a, b);
  }

  /** The first of a class that isn't empty. */
  private int first(int sizeClass) {
    return SizeClasses.isExact(sizeClass) ? few.first(sizeClass) : trees.first(sizeClass);
  }

  /** Those of a class, in order, that are in no tree. */
  int[] few(int sizeClass) {
    return SizeClasses.isExact(sizeClass) ? few.inOrder(sizeClass) : new int[0];
  }

  ClassTrees trees() {
    return trees;
  }

  boolean isOccupied(int sizeClass) {
    return occupied.contains(sizeClass);
  }

  /** Makes these bins those of another moment, over chunks of that moment. */
  void copyFrom(FreeBins other) {
    few.copyFrom(other.few);
    trees.copyFrom(other.trees);
    occupied.copyFrom(other.occupied);
    count = other.count;
  }
}
