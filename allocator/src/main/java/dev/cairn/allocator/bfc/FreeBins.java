package dev.cairn.allocator.bfc;

import static dev.cairn.allocator.bfc.ChunkTable.NONE;

/**
 * The free chunks, by size class, in the order of size and then address. Not safe for many threads.
 *
 * <p>An exact class that gets a second chunk has {@link FirstFew} from then on until it is empty, and in its tree only
 * what comes after them. One that came alone is in the tree, as are all chunks of the other classes.
 */
final class FreeBins extends ClassTrees {
  // Implementation note. Classes divide by size, so the best fit is the first chunk of the first class that isn't
  // empty, but for classes of more than one size, where the wanted one's own tree is searched; chunks that are too
  // small cost nothing. An exact class hands out its first chunk, and most chunks that come back are handed out again
  // while they are among the first few. When these are used up, half as many as there is room for leave the tree. One
  // that came alone is mostly what others are cut from, and joins what comes back: it moves from tree to tree without a
  // search. In the few it took 6 to 9 of 68 ns where chunks come back in the order in which they were taken.
  // The table comes with each call, here and in all else that a grant passes through: were it a field, the compiler
  // couldn't know it for the same in each, and would look up and check its arrays in each: 15 of 76 ns for a pair.

  private static final int REFILL = FirstFew.MOST / 2;

  private final FirstFew few;
  private final ClassSet occupied = new ClassSet();
  private int count;

  FreeBins() {
    this(Treap.LOWEST_FIRST);
  }

  private FreeBins(long flip) {
    super(flip);
    this.few = new FirstFew(flip);
  }

  /** Bins in which the highest of equally long chunks comes first. */
  static FreeBins highestFirst() {
    return new FreeBins(Treap.HIGHEST_FIRST);
  }

  /** The smallest chunk of at least {@code bytes}, of those the lowest; {@link ChunkTable#NONE} if there is none. */
  int bestFit(ChunkTable chunks, long bytes) {
    int sizeClass = SizeClasses.of(bytes);
    int found = occupied.atLeast(sizeClass);
    // Exactness first: it can be foretold, for most requests are small; whether the class has a chunk can't.
    if (!SizeClasses.isExact(sizeClass) && found == sizeClass) {
      int chunk = firstAtLeast(chunks, sizeClass, bytes);
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
    // As long: all of an exact class are, and in another the given one is among those that aren't longer.
    int last = lastAtMost(chunks, sizeClass, bytes);
    return last == NONE ? few.last(sizeClass) : last;
  }

  /** The chunk that comes after one that is here, by size and address; {@link ChunkTable#NONE} after the last. */
  int after(ChunkTable chunks, int chunk) {
    int sizeClass = SizeClasses.of(chunks.bytes(chunk));
    int inClass = afterInClass(chunks, sizeClass, chunk);
    if (inClass != NONE) {
      return inClass;
    }
    int next = occupied.atLeast(sizeClass + 1);
    return next < 0 ? NONE : first(next);
  }

  private int afterInClass(ChunkTable chunks, int sizeClass, int chunk) {
    if (!hasFew(sizeClass) || !few.reaches(sizeClass, chunks.address(chunk))) {
      return afterInTree(chunks, chunk);
    }
    int amongFew = few.after(sizeClass, chunk);
    return amongFew == NONE ? leftmost(chunks, sizeClass) : amongFew;
  }

  private boolean hasFew(int sizeClass) {
    return SizeClasses.isExact(sizeClass) && !few.isEmpty(sizeClass);
  }

  /** Length of the largest free chunk; 0 if none is free. */
  long largestBytes(ChunkTable chunks) {
    if (occupied.isEmpty()) {
      return 0;
    }
    int sizeClass = occupied.largest();
    // In an exact class all are as long.
    return chunks.bytes(SizeClasses.isExact(sizeClass) ? first(sizeClass) : lastOfTree(chunks, sizeClass));
  }

  /** How many chunks are here. */
  int count() {
    return count;
  }

  /** Takes in a free chunk; its length and address stay the same until it is removed or resized. */
  void insert(ChunkTable chunks, int chunk) {
    count++;
    int sizeClass = SizeClasses.of(chunks.bytes(chunk));
    if (isEmpty(sizeClass) || !SizeClasses.isExact(sizeClass)) {
      occupied.add(sizeClass);
      putIntoTree(chunks, sizeClass, chunk);
    } else {
      insertExact(chunks, sizeClass, chunk);
    }
  }

  private void insertExact(ChunkTable chunks, int sizeClass, int chunk) {
    if (few.isEmpty(sizeClass)) {
      moveToFew(chunks, sizeClass, first(sizeClass));
    }
    long address = chunks.address(chunk);
    boolean full = few.isFull(sizeClass);
    // While there is a tree, what comes after the last of the few belongs there.
    if ((full || root(sizeClass) != NONE) && !few.reaches(sizeClass, address)) {
      putIntoTree(chunks, sizeClass, chunk);
    } else {
      if (full) {
        putIntoTree(chunks, sizeClass, few.takeLast(sizeClass));
      }
      few.add(sizeClass, address, chunk);
    }
    setFirst(sizeClass, few.first(sizeClass));
  }

  private void moveToFew(ChunkTable chunks, int sizeClass, int chunk) {
    takeFromTree(chunks, sizeClass, chunk);
    few.add(sizeClass, chunks.address(chunk), chunk);
  }

  /** Takes out a chunk that is here. */
  void remove(ChunkTable chunks, int chunk) {
    count--;
    int sizeClass = SizeClasses.of(chunks.bytes(chunk));
    if (hasFew(sizeClass)) {
      removeExact(chunks, sizeClass, chunk);
    } else {
      takeFromTree(chunks, sizeClass, chunk);
      if (isEmpty(sizeClass)) {
        occupied.remove(sizeClass);
      }
    }
  }

  private void removeExact(ChunkTable chunks, int sizeClass, int chunk) {
    if (first(sizeClass) == chunk) {
      if (few.removeFirst(sizeClass)) {
        refill(chunks, sizeClass);
      } else {
        setFirst(sizeClass, few.first(sizeClass));
      }
    } else if (few.reaches(sizeClass, chunks.address(chunk))) {
      few.remove(sizeClass, chunk);
    } else {
      takeFromTree(chunks, sizeClass, chunk);
    }
  }

  /** Fills the few of a class, which are used up, from its tree; without a tree the class is empty now. */
  private void refill(ChunkTable chunks, int sizeClass) {
    if (root(sizeClass) == NONE) {
      setEmpty(sizeClass);
      occupied.remove(sizeClass);
      return;
    }
    for (int moved = 0; moved < REFILL && root(sizeClass) != NONE; moved++) {
      moveToFew(chunks, sizeClass, leftmost(chunks, sizeClass));
    }
    setFirst(sizeClass, few.first(sizeClass));
  }

  /** Gives a chunk that is here another range; it keeps its place where that is the same. */
  void resize(ChunkTable chunks, int chunk, long newAddress, long newBytes) {
    int oldClass = SizeClasses.of(chunks.bytes(chunk));
    int newClass = SizeClasses.of(newBytes);
    // Alone in its tree and class before and after: the usual case of the one large chunk that others are cut from.
    if (isAlone(chunks, oldClass, chunk) && (oldClass == newClass || isEmpty(newClass))) {
      chunks.setRange(chunk, newAddress, newBytes);
      if (oldClass != newClass) {
        move(oldClass, newClass);
        occupied.remove(oldClass);
        occupied.add(newClass);
      }
    } else {
      remove(chunks, chunk);
      chunks.setRange(chunk, newAddress, newBytes);
      insert(chunks, chunk);
    }
  }

  FirstFew few() {
    return few;
  }

  boolean isOccupied(int sizeClass) {
    return occupied.contains(sizeClass);
  }

  /** Makes these bins those of another moment, over chunks of that moment. */
  void copyFrom(FreeBins other) {
    few.copyFrom(other.few);
    copyTreesFrom(other);
    occupied.copyFrom(other.occupied);
    count = other.count;
  }
}
