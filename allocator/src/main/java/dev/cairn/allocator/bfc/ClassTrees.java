package dev.cairn.allocator.bfc;

import static dev.cairn.allocator.bfc.ChunkTable.NONE;

import java.util.Arrays;

/**
 * A tree of free chunks for each size class, in the order of size and then address, and the class's first chunk beside
 * its root. Where an exact class has {@link FirstFew}, its first is one of those, and its tree has what comes after
 * them. Not safe for many threads.
 */
sealed class ClassTrees permits FreeBins {
  // Implementation note. Each is a treap [1]: a search tree by (bytes, address) that is also a heap by priority. The
  // priority is a fixed permutation of the chunk's index, so trees are the same in every run and no two are equal.
  // A removal knows its parent and merges two subtrees, two steps on average; an insertion goes down to the place that
  // the priority asks for and splits what lies below. All are loops over the links in ChunkTable: nothing is allocated.
  // The bins inherit it, for each object between them and the roots would be another load in every call.
  // [1] Aragon, Seidel: Randomized search trees, FOCS 1989.

  private static final long EMPTY = TreeRows.pair(NONE, NONE);

  // The tree's root and the class's first chunk.
  private final long[] trees = new long[SizeClasses.COUNT];
  private final Treap treap;

  /** @param flip {@link Treap#LOWEST_FIRST} or {@link Treap#HIGHEST_FIRST} */
  ClassTrees(long flip) {
    this.treap = new Treap(flip);
    Arrays.fill(trees, EMPTY);
  }

  /** Whether a class has no chunk at all. */
  final boolean isEmpty(int sizeClass) {
    return trees[sizeClass] == EMPTY;
  }

  /** Whether a chunk is the only one of its class, and in its tree. */
  final boolean isAlone(ChunkTable chunks, int sizeClass, int chunk) {
    return trees[sizeClass] == TreeRows.pair(chunk, chunk) && chunks.isLeaf(chunk);
  }

  final int root(int sizeClass) {
    return TreeRows.high(trees[sizeClass]);
  }

  /** The first chunk of a class, in its tree or not; {@link ChunkTable#NONE} where there is none. */
  final int first(int sizeClass) {
    return (int) trees[sizeClass];
  }

  /** Says that a class has no chunk any more. */
  final void setEmpty(int sizeClass) {
    trees[sizeClass] = EMPTY;
  }

  /** Says which chunk is the first of a class that has few; it is among them. */
  final void setFirst(int sizeClass, int chunk) {
    trees[sizeClass] = TreeRows.withLow(trees[sizeClass], chunk);
  }

  /** The first chunk of a tree; {@link ChunkTable#NONE} where there is none. */
  final int leftmost(ChunkTable chunks, int sizeClass) {
    int root = root(sizeClass);
    return root == NONE ? NONE : Treap.leftmost(chunks, root);
  }

  /** The last chunk of a tree that has one. */
  final int lastOfTree(ChunkTable chunks, int sizeClass) {
    int last = root(sizeClass);
    while (chunks.right(last) != NONE) {
      last = chunks.right(last);
    }
    return last;
  }

  /** The first chunk of a tree of at least {@code bytes}; {@link ChunkTable#NONE} if there is none. */
  final int firstAtLeast(ChunkTable chunks, int sizeClass, long bytes) {
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

  /** The last chunk of a tree that isn't longer than {@code bytes}; {@link ChunkTable#NONE} if there is none. */
  final int lastAtMost(ChunkTable chunks, int sizeClass, long bytes) {
    int last = NONE;
    for (int node = root(sizeClass); node != NONE;) {
      if (chunks.bytes(node) > bytes) {
        node = chunks.left(node);
      } else {
        last = node;
        node = chunks.right(node);
      }
    }
    return last;
  }

  /** The chunk that comes after one that is here, in its tree; {@link ChunkTable#NONE} after the last. */
  final int afterInTree(ChunkTable chunks, int chunk) {
    if (chunks.right(chunk) != NONE) {
      return Treap.leftmost(chunks, chunks.right(chunk));
    }
    int node = chunk;
    int parent = chunks.parent(node);
    while (parent != NONE && chunks.right(parent) == node) {
      node = parent;
      parent = chunks.parent(node);
    }
    return parent;
  }

  /**
   * Takes in a free chunk; its length and address stay the same until it is removed. Where it is the tree's first it is
   * taken for the class's.
   */
  final void putIntoTree(ChunkTable chunks, int sizeClass, int chunk) {
    int priority = Treap.priorityOf(chunk);
    chunks.beLeaf(chunk, priority);
    if (trees[sizeClass] == EMPTY) {
      trees[sizeClass] = TreeRows.pair(chunk, chunk);
    } else {
      insertAmong(chunks, sizeClass, chunk, priority);
    }
  }

  private void insertAmong(ChunkTable chunks, int sizeClass, int chunk, int priority) {
    int node = root(sizeClass);
    int parent = NONE;
    int onRight = 0;
    int everRight = 0;
    while (node != NONE && chunks.priority(node) > priority) {
      parent = node;
      onRight = treap.before(chunks, node, chunk);
      everRight |= onRight;
      node = chunks.child(node, onRight);
    }
    if (node != NONE) {
      treap.divide(chunks, node, chunk);
    }
    attach(chunks, sizeClass, parent, onRight, chunk);
    if (everRight == 0 && chunks.left(chunk) == NONE) {
      trees[sizeClass] = TreeRows.withLow(trees[sizeClass], chunk);
    }
  }

  /** Takes out a chunk that is here; the class's first becomes the one after it, if that is what it was. */
  final void takeFromTree(ChunkTable chunks, int sizeClass, int chunk) {
    if (isAlone(chunks, sizeClass, chunk)) {
      trees[sizeClass] = EMPTY;
    } else if (first(sizeClass) == chunk) {
      removeFirst(chunks, sizeClass, chunk);
    } else {
      removeFromOthers(chunks, sizeClass, chunk);
    }
  }

  /** Takes out the first of several, which has nothing on its left, and its parent, if it has one, on its right. */
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

  private void removeFromOthers(ChunkTable chunks, int sizeClass, int chunk) {
    int parent = chunks.parent(chunk);
    int onRight = parent != NONE && chunks.right(parent) == chunk ? 1 : 0;
    attach(chunks, sizeClass, parent, onRight, Treap.merged(chunks, chunks.left(chunk), chunks.right(chunk)));
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

  /** Moves the only chunk of a class to another one, which is empty. */
  final void move(int fromClass, int toClass) {
    trees[toClass] = trees[fromClass];
    trees[fromClass] = EMPTY;
  }

  /** Whether {@code a} comes before {@code b} by size, and by address among equals. */
  final boolean isBefore(ChunkTable chunks, int a, int b) {
    return treap.isBefore(chunks, a, b);
  }

  final void copyTreesFrom(ClassTrees other) {
    System.arraycopy(other.trees, 0, trees, 0, trees.length);
  }
}
