package dev.cairn.allocator.bfc;

import static dev.cairn.allocator.bfc.ChunkTable.NONE;

/**
 * The shape of the trees of free chunks, whose links are in the chunks' rows: search trees by size and address that are
 * also heaps by priority. Knows no roots. Stateless.
 */
final class Treap {
  private Treap() {}

  static int leftmost(ChunkTable chunks, int tree) {
    int node = tree;
    while (chunks.left(node) != NONE) {
      node = chunks.left(node);
    }
    return node;
  }

  static void hang(ChunkTable chunks, int parent, boolean onRight, int tree) {
    if (onRight) {
      chunks.setRight(parent, tree);
    } else {
      chunks.setLeft(parent, tree);
    }
  }

  /** Makes the part of {@code tree} before {@code chunk} its left subtree and the rest its right one. */
  static void divide(ChunkTable chunks, int tree, int chunk) {
    int lastBefore = chunk;
    int lastAfter = chunk;
    for (int node = tree; node != NONE;) {
      if (isBefore(chunks, node, chunk)) {
        hang(chunks, lastBefore, lastBefore != chunk, node);
        chunks.setParent(node, lastBefore);
        lastBefore = node;
        node = chunks.right(node);
      } else {
        hang(chunks, lastAfter, lastAfter == chunk, node);
        chunks.setParent(node, lastAfter);
        lastAfter = node;
        node = chunks.left(node);
      }
    }
    if (lastBefore != chunk) {
      chunks.setRight(lastBefore, NONE);
    }
    if (lastAfter != chunk) {
      chunks.setLeft(lastAfter, NONE);
    }
  }

  /** One tree of two, of which the first lies wholly before the second; its top has no parent yet. */
  static int merged(ChunkTable chunks, int before, int after) {
    if (before == NONE || after == NONE) {
      return before == NONE ? after : before;
    }
    int a = before;
    int b = after;
    int top = NONE;
    int bottom = NONE;
    boolean onRight = false;
    while (a != NONE && b != NONE) {
      boolean takesFirst = isAbove(chunks, a, b);
      int taken = takesFirst ? a : b;
      if (bottom == NONE) {
        top = taken;
      } else {
        hang(chunks, bottom, onRight, taken);
        chunks.setParent(taken, bottom);
      }
      bottom = taken;
      onRight = takesFirst;
      a = takesFirst ? chunks.right(a) : a;
      b = takesFirst ? b : chunks.left(b);
    }
    int rest = a != NONE ? a : b;
    hang(chunks, bottom, onRight, rest);
    chunks.setParent(rest, bottom);
    return top;
  }

  /** Whether {@code a} comes before {@code b} by size, and by address among equals. */
  static boolean isBefore(ChunkTable chunks, int a, int b) {
    return before(chunks, a, b) != 0;
  }

  /** 1 where {@code a} comes before {@code b}, else 0. Both sizes and addresses are far from overflow. */
  static int before(ChunkTable chunks, int a, int b) {
    long difference = chunks.bytes(a) - chunks.bytes(b);
    if (difference == 0) {
      difference = chunks.address(a) - chunks.address(b);
    }
    return (int) (difference >>> (Long.SIZE - 1));
  }

  /** Whether {@code a} lies nearer to the root than {@code b}. */
  static boolean isAbove(ChunkTable chunks, int a, int b) {
    return chunks.priority(a) > chunks.priority(b);
  }

  // Multiples of the golden ratio, with upper and lower bits mixed. Each chunk has another priority, and it is cheap to
  // compute during a search.
  static int priorityOf(int chunk) {
    int x = chunk * 0x9E3779B1;
    return x ^ (x >>> 16);
  }
}
