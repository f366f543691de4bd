package dev.cairn.allocator.bfc;

import static dev.cairn.allocator.bfc.ChunkTable.NONE;

import java.util.Arrays;

/**
 * The free chunks: a tree for each size class, in the order of size and then address, and a set of the classes that
 * have any. Not safe for many threads.
 */
final class FreeBins {
  // Implementation note. Classes divide by size, so the best fit is the first chunk of the first class that isn't
  // empty, but for classes of more than one size, where the wanted one's own tree is searched; chunks that are too
  // small cost nothing. Each tree is a treap [1]: a search tree by (bytes, address) that is also a heap by priority.
  // The priority is a fixed permutation of the chunk's index, so trees are the same in every run and no two are equal.
  // All searches are loops over the links in ChunkTable: nothing is allocated.
  // Callers pass the table to each method, here and in every class on the path of a grant. If it were a field, the
  // compiler couldn't know that all methods use the same table. Each method would look up and check the table's arrays
  // again: that took 15 of 76 ns for a grant and its free.
  // [1] Aragon, Seidel: Randomized search trees, FOCS 1989.

  private static final long EMPTY = TreeRows.pair(NONE, NONE);

  // For each class, the root and the first chunk of its tree.
  private final long[] trees = new long[SizeClasses.COUNT];
  private final ClassSet occupied = new ClassSet();
  private int count;

  FreeBins() {
    Arrays.fill(trees, EMPTY);
  }

  /** The smallest chunk of at least {@code bytes}, of those the lowest; {@link ChunkTable#NONE} if there is none. */
  int bestFit(ChunkTable chunks, long bytes) {
    int sizeClass = SizeClasses.of(bytes);
    int found = occupied.atLeast(sizeClass);
    // The check for an exact class comes first, since a processor predicts it well: most requests are small. Whether
    // the class has a chunk is not predictable.
    if (!SizeClasses.isExact(sizeClass) && found == sizeClass) {
      int chunk = firstAtLeast(chunks, sizeClass, bytes);
      if (chunk != NONE) {
        return chunk;
      }
      found = occupied.atLeast(sizeClass + 1);
    }
    return found < 0 ? NONE : first(found);
  }

  private int firstAtLeast(ChunkTable chunks, int sizeClass, long bytes) {
    int best = NONE;
    for (int node = root(sizeClass); node != NONE;) {
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
  int lastAsLong(ChunkTable chunks, int chunk) {
    long bytes = chunks.bytes(chunk);
    int last = chunk;
    for (int node = root(SizeClasses.of(bytes)); node != NONE;) {
      if (chunks.bytes(node) > bytes) {
        node = chunks.left(node);
      } else {
        last = node;
        node = chunks.right(node);
      }
    }
    return last;
  }

  /** The chunk that comes after one that is here, by size and address; {@link ChunkTable#NONE} after the last. */
  int after(ChunkTable chunks, int chunk) {
    if (chunks.right(chunk) != NONE) {
      return Treap.leftmost(chunks, chunks.right(chunk));
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
    return next < 0 ? NONE : first(next);
  }

  /** Length of the largest free chunk; 0 if none is free. */
  long largestBytes(ChunkTable chunks) {
    if (occupied.isEmpty()) {
      return 0;
    }
    int last = root(occupied.largest());
    while (chunks.right(last) != NONE) {
      last = chunks.right(last);
    }
    return chunks.bytes(last);
  }

  /** How many chunks are here. */
  int count() {
    return count;
  }

  boolean isOccupied(int sizeClass) {
    return occupied.contains(sizeClass);
  }

  int root(int sizeClass) {
    return TreeRows.high(trees[sizeClass]);
  }

  /** The first chunk of a class; {@link ChunkTable#NONE} where there is none. */
  int first(int sizeClass) {
    return (int) trees[sizeClass];
  }

  /** Takes in a free chunk; its length and address stay the same until it is removed or resized. */
  void insert(ChunkTable chunks, int chunk) {
    count++;
    int sizeClass = SizeClasses.of(chunks.bytes(chunk));
    int priority = Treap.priorityOf(chunk);
    chunks.beLeaf(chunk, priority);
    if (trees[sizeClass] == EMPTY) {
      trees[sizeClass] = TreeRows.pair(chunk, chunk);
      occupied.add(sizeClass);
    } else {
      insertAmong(chunks, sizeClass, chunk, priority);
    }
  }

  /** Goes down to the place of the priority, and splits the tree below. */
  private void insertAmong(ChunkTable chunks, int sizeClass, int chunk, int priority) {
    int node = root(sizeClass);
    int parent = NONE;
    int onRight = 0;
    int everRight = 0;
    while (node != NONE && chunks.priority(node) > priority) {
      parent = node;
      onRight = Treap.before(chunks, node, chunk);
      everRight |= onRight;
      node = chunks.child(node, onRight);
    }
    if (node != NONE) {
      Treap.divide(chunks, node, chunk);
    }
    attach(chunks, sizeClass, parent, onRight, chunk);
    if (everRight == 0 && chunks.left(chunk) == NONE) {
      trees[sizeClass] = TreeRows.withLow(trees[sizeClass], chunk);
    }
  }

  /** Takes out a chunk that is here. */
  void remove(ChunkTable chunks, int chunk) {
    count--;
    int sizeClass = SizeClasses.of(chunks.bytes(chunk));
    if (isAlone(chunks, sizeClass, chunk)) {
      trees[sizeClass] = EMPTY;
      occupied.remove(sizeClass);
    } else if (first(sizeClass) == chunk) {
      removeFirst(chunks, sizeClass, chunk);
    } else {
      int parent = chunks.parent(chunk);
      int onRight = parent != NONE && chunks.right(parent) == chunk ? 1 : 0;
      attach(chunks, sizeClass, parent, onRight, Treap.merged(chunks, chunks.left(chunk), chunks.right(chunk)));
    }
  }

  /** Takes out the first chunk of several. It has no left child; if it has a parent, it is the parent's left child. */
  private void removeFirst(ChunkTable chunks, int sizeClass, int chunk) {
    int parent = chunks.parent(chunk);
    int right = chunks.right(chunk);
    if (right == NONE) {
      chunks.setLeft(parent, NONE);
      trees[sizeClass] = TreeRows.withLow(trees[sizeClass], parent);
    } else {
      attach(chunks, sizeClass, parent, 0, right);
      trees[sizeClass] = TreeRows.withLow(trees[sizeClass], Treap.leftmost(chunks, right));
    }
  }

  private void attach(ChunkTable chunks, int sizeClass, int parent, int onRight, int tree) {
    if (parent == NONE) {
      trees[sizeClass] = TreeRows.withHigh(trees[sizeClass], tree);
    } else {
      chunks.setChild(parent, onRight, tree);
    }
    if (tree != NONE) {
      chunks.setParent(tree, parent);
    }
  }

  private boolean isAlone(ChunkTable chunks, int sizeClass, int chunk) {
    return trees[sizeClass] == TreeRows.pair(chunk, chunk) && chunks.isLeaf(chunk);
  }

  /** Gives a chunk that is here another range; it keeps its place where that is the same. */
  void resize(ChunkTable chunks, int chunk, long newAddress, long newBytes) {
    int oldClass = SizeClasses.of(chunks.bytes(chunk));
    int newClass = SizeClasses.of(newBytes);
    // Alone in its class before and after: the usual case of the one large chunk that others are cut from.
    if (isAlone(chunks, oldClass, chunk) && (oldClass == newClass || trees[newClass] == EMPTY)) {
      chunks.setRange(chunk, newAddress, newBytes);
      if (oldClass != newClass) {
        trees[newClass] = trees[oldClass];
        trees[oldClass] = EMPTY;
        occupied.remove(oldClass);
        occupied.add(newClass);
      }
    } else {
      remove(chunks, chunk);
      chunks.setRange(chunk, newAddress, newBytes);
      insert(chunks, chunk);
    }
  }
}
