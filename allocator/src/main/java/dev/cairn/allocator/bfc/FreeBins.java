package dev.cairn.allocator.bfc;

import static dev.cairn.allocator.bfc.ChunkTable.NONE;

import java.util.Arrays;

/**
 * The free chunks: a tree for each size class, in the order of size and then address, and its first chunk beside it.
 * Not safe for many threads.
 */
final class FreeBins {
  // Implementation note. Each class is a treap [1]: a search tree by (bytes, address) that is also a heap by priority.
  // The priority is a fixed permutation of the chunk's index, so trees are the same in every run and no two are equal.
  // A removal knows its parent and merges two subtrees, two steps on average; an insertion goes down to the place that
  // the priority asks for and splits what lies below. All are loops over the links in ChunkTable: nothing is allocated.
  // Classes divide by size, so the best fit is the first chunk of the first class that isn't empty, but for classes of
  // more than one size, where the wanted one's own tree is searched; chunks that are too small cost nothing.
  // [1] Aragon, Seidel: Randomized search trees, FOCS 1989.

  private final ChunkTable chunks;
  private final int[] root = new int[SizeClasses.COUNT];
  private final int[] first = new int[SizeClasses.COUNT];
  private final ClassSet occupied = new ClassSet();
  private final Treap treap;
  private int count;

  FreeBins(ChunkTable chunks) {
    this(chunks, 0);
  }

  private FreeBins(ChunkTable chunks, long flip) {
    this.chunks = chunks;
    this.treap = new Treap(chunks, flip);
    Arrays.fill(root, NONE);
    Arrays.fill(first, NONE);
  }

  /** Bins in which the highest of equally long chunks comes first. */
  static FreeBins highestFirst(ChunkTable chunks) {
    return new FreeBins(chunks, -1);
  }

  /** The smallest chunk of at least {@code bytes}, of those the lowest; {@link ChunkTable#NONE} if there is none. */
  int bestFit(long bytes) {
    int sizeClass = SizeClasses.of(bytes);
    int found = occupied.atLeast(sizeClass);
    if (found == sizeClass && !SizeClasses.isExact(sizeClass)) {
      int chunk = firstAtLeast(root[sizeClass], bytes);
      if (chunk != NONE) {
        return chunk;
      }
      found = occupied.atLeast(sizeClass + 1);
    }
    return found < 0 ? NONE : first[found];
  }

  private int firstAtLeast(int tree, long bytes) {
    int best = NONE;
    for (int node = tree; node != NONE;) {
      if (chunks.bytes(node) >= bytes) {
        best = node;
        node = chunks.left(node);
      } else {
        node = chunks.right(node);
      }
    }
    return best;
  }

  /** The last chunk that is as long as one that is here. */
  int lastAsLong(int chunk) {
    long bytes = chunks.bytes(chunk);
    int last = chunk;
    for (int node = root[SizeClasses.of(bytes)]; node != NONE;) {
      if (chunks.bytes(node) > bytes) {
        node = chunks.left(node);
      } else {
        last = chunks.bytes(node) == bytes ? node : last;
        node = chunks.right(node);
      }
    }
    return last;
  }

  /** The chunk that comes after one that is here, by size and address; {@link ChunkTable#NONE} after the last. */
  int after(int chunk) {
    if (chunks.right(chunk) != NONE) {
      return treap.leftmost(chunks.right(chunk));
    }
    int node = chunk;
    int parent = chunks.parent(node);
    while (parent != NONE && chunks.right(parent) == node) {
      node = parent;
      parent = chunks.parent(node);
    }
    if (parent != NONE) {
      return parent;
    }
    int next = occupied.atLeast(SizeClasses.of(chunks.bytes(chunk)) + 1);
    return next < 0 ? NONE : first[next];
  }

  /** Length of the largest free chunk; 0 if none is free. */
  long largestBytes() {
    if (occupied.isEmpty()) {
      return 0;
    }
    int node = root[occupied.largest()];
    while (chunks.right(node) != NONE) {
      node = chunks.right(node);
    }
    return chunks.bytes(node);
  }

  /** How many chunks are here. */
  int count() {
    return count;
  }

  /** Takes in a free chunk; its length and address stay the same until it is removed or resized. */
  void insert(int chunk) {
    count++;
    int sizeClass = SizeClasses.of(chunks.bytes(chunk));
    if (root[sizeClass] == NONE) {
      chunks.beLeaf(chunk, Treap.priorityOf(chunk));
      fill(sizeClass, chunk);
    } else {
      insertAmong(sizeClass, chunk);
    }
  }

  private void insertAmong(int sizeClass, int chunk) {
    int priority = Treap.priorityOf(chunk);
    chunks.beLeaf(chunk, priority);
    int node = root[sizeClass];
    int parent = NONE;
    int onRight = 0;
    int everRight = 0;
    while (node != NONE && chunks.priority(node) > priority) {
      parent = node;
      onRight = treap.before(node, chunk);
      everRight |= onRight;
      node = chunks.child(node, onRight);
    }
    if (node != NONE) {
      treap.divide(node, chunk);
    }
    attach(sizeClass, parent, onRight != 0, chunk);
    if (everRight == 0 && chunks.left(chunk) == NONE) {
      first[sizeClass] = chunk;
    }
  }

  /** Takes out a chunk that is here. */
  void remove(int chunk) {
    count--;
    int sizeClass = SizeClasses.of(chunks.bytes(chunk));
    if (isAlone(sizeClass, chunk)) {
      empty(sizeClass);
    } else {
      removeFromOthers(sizeClass, chunk);
    }
  }

  private void removeFromOthers(int sizeClass, int chunk) {
    int left = chunks.left(chunk);
    int right = chunks.right(chunk);
    int parent = chunks.parent(chunk);
    if (first[sizeClass] == chunk) {
      first[sizeClass] = right != NONE ? treap.leftmost(right) : parent;
    }
    attach(sizeClass, parent, parent != NONE && chunks.right(parent) == chunk, treap.merged(left, right));
  }

  /** Gives a chunk that is here another range; it keeps its place where that is the same. */
  void resize(int chunk, long newAddress, long newBytes) {
    int oldClass = SizeClasses.of(chunks.bytes(chunk));
    int newClass = SizeClasses.of(newBytes);
    // Alone in its class before and after: the usual case of the one large chunk that others are cut from.
    if (isAlone(oldClass, chunk) && (oldClass == newClass || root[newClass] == NONE)) {
      chunks.setRange(chunk, newAddress, newBytes);
      if (oldClass != newClass) {
        empty(oldClass);
        fill(newClass, chunk);
      }
    } else {
      remove(chunk);
      chunks.setRange(chunk, newAddress, newBytes);
      insert(chunk);
    }
  }

  private boolean isAlone(int sizeClass, int chunk) {
    return root[sizeClass] == chunk && chunks.isLeaf(chunk);
  }

  private void fill(int sizeClass, int chunk) {
    root[sizeClass] = chunk;
    first[sizeClass] = chunk;
    occupied.add(sizeClass);
  }

  private void empty(int sizeClass) {
    root[sizeClass] = NONE;
    first[sizeClass] = NONE;
    occupied.remove(sizeClass);
  }

  private void attach(int sizeClass, int parent, boolean onRight, int tree) {
    if (parent == NONE) {
      root[sizeClass] = tree;
    } else {
      treap.hang(parent, onRight, tree);
    }
    if (tree != NONE) {
      chunks.setParent(tree, parent);
    }
  }

  /** Whether {@code a} comes before {@code b} by size, and by address among equals. */
  boolean isBefore(int a, int b) {
    return treap.isBefore(a, b);
  }

  /** Whether {@code a} lies nearer to the root than {@code b}. */
  boolean isAbove(int a, int b) {
    return treap.isAbove(a, b);
  }

  int root(int sizeClass) {
    return root[sizeClass];
  }

  int first(int sizeClass) {
    return first[sizeClass];
  }

  boolean isOccupied(int sizeClass) {
    return occupied.contains(sizeClass);
  }

  /** Makes these bins those of another moment, over chunks of that moment. */
  void copyFrom(FreeBins other) {
    System.arraycopy(other.root, 0, root, 0, root.length);
    System.arraycopy(other.first, 0, first, 0, first.length);
    occupied.copyFrom(other.occupied);
    count = other.count;
  }
}
