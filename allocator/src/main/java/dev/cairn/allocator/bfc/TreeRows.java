package dev.cairn.allocator.bfc;

/**
 * The part of a chunk's row that its place in a tree of free chunks is written in: words 3 and 5, which a chunk in use
 * has for other things. Not safe for many threads.
 */
class TreeRows extends RowPages {
  /** No chunk. */
  static final int NONE = -1;
  private static final int TREE = 3;
  private static final int HEAP = 5;
  private static final long LOW = 0xFFFF_FFFFL;

  /** Puts a chunk into a tree, as a leaf without a parent. */
  final void beLeaf(int chunk, int priority) {
    long[] page = writable(chunk);
    int at = at(chunk);
    page[at + TREE] = -1;
    page[at + HEAP] = pair(NONE, priority);
  }

  final void setLeft(int chunk, int child) {
    long[] page = writable(chunk);
    int at = at(chunk) + TREE;
    page[at] = withHigh(page[at], child);
  }

  final void setRight(int chunk, int child) {
    long[] page = writable(chunk);
    int at = at(chunk) + TREE;
    page[at] = withLow(page[at], child);
  }

  /** Sets the right child where {@code right} is 1, the left one where it is 0: as {@link #child}, without a branch. */
  final void setChild(int chunk, int right, int child) {
    long[] page = writable(chunk);
    int at = at(chunk) + TREE;
    int shift = (right ^ 1) << 5;
    page[at] = (page[at] & ~(LOW << shift)) | ((child & LOW) << shift);
  }

  final void setParent(int chunk, int parent) {
    long[] page = writable(chunk);
    int at = at(chunk) + HEAP;
    page[at] = withHigh(page[at], parent);
  }

  /** Whether a chunk has nothing below it in its tree. */
  final boolean isLeaf(int chunk) {
    return word(chunk, TREE) == -1;
  }

  /** The right child where {@code right} is 1, the left one where it is 0: without a branch that can't be foretold. */
  final int child(int chunk, int right) {
    return (int) (word(chunk, TREE) >> ((right ^ 1) << 5));
  }

  final int left(int chunk) {
    return high(word(chunk, TREE));
  }

  final int right(int chunk) {
    return (int) word(chunk, TREE);
  }

  final int parent(int chunk) {
    return high(word(chunk, HEAP));
  }

  final int priority(int chunk) {
    return (int) word(chunk, HEAP);
  }

  static long pair(int high, int low) {
    return ((long) high << Integer.SIZE) | (low & LOW);
  }

  static int high(long pair) {
    return (int) (pair >> Integer.SIZE);
  }

  static long withHigh(long pair, int high) {
    return ((long) high << Integer.SIZE) | (pair & LOW);
  }

  static long withLow(long pair, int low) {
    return (pair & ~LOW) | (low & LOW);
  }
}
