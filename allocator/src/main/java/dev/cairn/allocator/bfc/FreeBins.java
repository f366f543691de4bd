package dev.cairn.allocator.bfc;

import static dev.cairn.allocator.bfc.ChunkTable.NONE;

import dev.cairn.allocator.SizeClass;
import java.util.Arrays;

/**
 * The free chunks: a tree for each bin, in the order of size and then address, and a bit for each bin that isn't empty.
 * Not safe for many threads.
 */
final class FreeBins {
  // Implementation note. Each bin is a treap [1]: a search tree by (bytes, address) that is also a heap by priority.
  // The priority is a fixed permutation of the chunk's index, so trees are the same in every run, no two are equal, and
  // none is stored. Expected depth is O(log n) whatever the order of operations. Insertion goes down to the place that
  // the priority asks for and splits what lies below; removal merges the two subtrees. Both are loops over the links in
  // ChunkTable: nothing is allocated. A search starts at the first chunk that is large enough, so chunks that are too
  // small cost their tree's depth, not their number.
  // [1] Aragon, Seidel: Randomized search trees, FOCS 1989.

  private final ChunkTable chunks;
  private final int[] root = new int[SizeClass.BINS];
  private int occupied;

  FreeBins(ChunkTable chunks) {
    this.chunks = chunks;
    Arrays.fill(root, NONE);
  }

  /** The smallest chunk of at least {@code bytes}, of those the lowest; {@link ChunkTable#NONE} if there is none. */
  int bestFit(long bytes) {
    int bin = SizeClass.binOf(bytes);
    int best = NONE;
    for (int node = root[bin]; node != NONE;) {
      if (chunks.bytes(node) >= bytes) {
        best = node;
        node = chunks.left(node);
      } else {
        node = chunks.right(node);
      }
    }
    int higher = occupied & (-2 << bin);
    return best != NONE || higher == 0 ? best : first(root[Integer.numberOfTrailingZeros(higher)]);
  }

  private int first(int tree) {
    int node = tree;
    while (chunks.left(node) != NONE) {
      node = chunks.left(node);
    }
    return node;
  }

  /** Length of the largest free chunk; 0 if none is free. */
  long largestBytes() {
    if (occupied == 0) {
      return 0;
    }
    int node = root[SizeClass.floorLog2(occupied)];
    while (chunks.right(node) != NONE) {
      node = chunks.right(node);
    }
    return chunks.bytes(node);
  }

  /** Takes in a free chunk; its length and address stay the same until it is removed. */
  void insert(int chunk) {
    int bin = SizeClass.binOf(chunks.bytes(chunk));
    int parent = NONE;
    boolean onRight = false;
    int node = root[bin];
    while (node != NONE && isAbove(node, chunk)) {
      parent = node;
      onRight = isBefore(node, chunk);
      node = onRight ? chunks.right(node) : chunks.left(node);
    }
    divide(node, chunk);
    attach(bin, parent, onRight, chunk);
    occupied |= 1 << bin;
  }

  /** Takes out a chunk that was taken in. */
  void remove(int chunk) {
    int bin = SizeClass.binOf(chunks.bytes(chunk));
    int parent = NONE;
    boolean onRight = false;
    int node = root[bin];
    while (node != chunk) {
      parent = node;
      onRight = isBefore(node, chunk);
      node = onRight ? chunks.right(node) : chunks.left(node);
    }
    attach(bin, parent, onRight, merged(chunks.left(chunk), chunks.right(chunk)));
    if (root[bin] == NONE) {
      occupied &= ~(1 << bin);
    }
  }

  private void attach(int bin, int parent, boolean onRight, int tree) {
    if (parent == NONE) {
      root[bin] = tree;
    } else if (onRight) {
      chunks.setRight(parent, tree);
    } else {
      chunks.setLeft(parent, tree);
    }
  }

  /** Makes the part of {@code tree} before {@code chunk} its left subtree and the rest its right one. */
  private void divide(int tree, int chunk) {
    int lastBefore = NONE;
    int lastAfter = NONE;
    chunks.setLeft(chunk, NONE);
    chunks.setRight(chunk, NONE);
    for (int node = tree; node != NONE;) {
      if (isBefore(node, chunk)) {
        if (lastBefore == NONE) {
          chunks.setLeft(chunk, node);
        } else {
          chunks.setRight(lastBefore, node);
        }
        lastBefore = node;
        node = chunks.right(node);
      } else {
        if (lastAfter == NONE) {
          chunks.setRight(chunk, node);
        } else {
          chunks.setLeft(lastAfter, node);
        }
        lastAfter = node;
        node = chunks.left(node);
      }
    }
    if (lastBefore != NONE) {
      chunks.setRight(lastBefore, NONE);
    }
    if (lastAfter != NONE) {
      chunks.setLeft(lastAfter, NONE);
    }
  }

  /** One tree of two, of which the first lies wholly before the second. */
  private int merged(int first, int second) {
    if (first == NONE || second == NONE) {
      return first == NONE ? second : first;
    }
    int a = first;
    int b = second;
    int top = isAbove(a, b) ? a : b;
    int bottom = NONE;
    boolean onRight = false;
    while (a != NONE && b != NONE) {
      boolean takesFirst = isAbove(a, b);
      int taken = takesFirst ? a : b;
      hang(bottom, onRight, taken);
      bottom = taken;
      onRight = takesFirst;
      if (takesFirst) {
        a = chunks.right(a);
      } else {
        b = chunks.left(b);
      }
    }
    hang(bottom, onRight, a != NONE ? a : b);
    return top;
  }

  private void hang(int parent, boolean onRight, int tree) {
    if (parent == NONE) {
      return;
    }
    if (onRight) {
      chunks.setRight(parent, tree);
    } else {
      chunks.setLeft(parent, tree);
    }
  }

  /** Whether {@code a} comes before {@code b} by size, and by address among equals. */
  boolean isBefore(int a, int b) {
    long aBytes = chunks.bytes(a);
    long bBytes = chunks.bytes(b);
    return aBytes != bBytes ? aBytes < bBytes : chunks.address(a) < chunks.address(b);
  }

  /** Whether {@code a} lies nearer to the root than {@code b}. */
  boolean isAbove(int a, int b) {
    return priority(a) > priority(b);
  }

  // The finalizer of MurmurHash3, which maps ints one to one.
  private static int priority(int chunk) {
    int x = chunk;
    x = (x ^ (x >>> 16)) * 0x85EBCA6B;
    x = (x ^ (x >>> 13)) * 0xC2B2AE35;
    return x ^ (x >>> 16);
  }

  int root(int bin) {
    return root[bin];
  }

  boolean isOccupied(int bin) {
    return (occupied & (1 << bin)) != 0;
  }
}
