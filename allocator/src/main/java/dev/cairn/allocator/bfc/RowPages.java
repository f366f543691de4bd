package dev.cairn.allocator.bfc;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Rows of six words in pages that are added one by one and never moved, so that growing copies nothing. Another table
 * can share the pages of this one as they are now: a shared page is copied before it is written to, so that a snapshot
 * costs its taker one reference a page, and whoever first writes to a page after that, a copy of it. Not safe for many
 * threads; a table that shares may be read by another one.
 */
class RowPages {
  /** Heap bytes of one row. */
  static final int ROW_BYTES = 48;
  static final int PAGE_BITS = 10;
  static final int PAGE_ROWS = 1 << PAGE_BITS;
  private static final int ROW_MASK = PAGE_ROWS - 1;
  private static final int WORDS = ROW_BYTES / Long.BYTES;

  private long[][] pages = new long[1][];
  private int pageCount;
  // Which pages another table has, too; null when there is no other.
  private boolean @Nullable [] shared;
  private int sharers;
  private int tears;

  /** Rows that there is room for. */
  final int capacity() {
    return pageCount << PAGE_BITS;
  }

  /** Heap bytes of all rows, used or not. */
  final long metadataBytes() {
    return (long) capacity() * ROW_BYTES;
  }

  final void addPage() {
    long[] page = new long[PAGE_ROWS * WORDS];
    if (pageCount == pages.length) {
      pages = Arrays.copyOf(pages, pageCount * 2);
    }
    pages[pageCount++] = page;
  }

  /** Lets {@code other}, which is new, have the pages as they are now. */
  final void shareWith(RowPages other) {
    boolean[] all = allShared(pageCount);
    other.pages = pages.clone();
    other.pageCount = pageCount;
    other.tears = tears;
    shared = all;
    sharers++;
  }

  /** Ends a sharing. */
  final void thaw() {
    if (--sharers == 0) {
      shared = null;
    }
  }

  /** Takes back the pages that were shared with {@code other}; those that were added since stay behind them. */
  final void takePages(RowPages other) {
    boolean[] all = allShared(other.pageCount);
    System.arraycopy(other.pages, 0, pages, 0, other.pageCount);
    shared = all;
  }

  private static boolean[] allShared(int count) {
    boolean[] all = new boolean[count];
    Arrays.fill(all, true);
    return all;
  }

  /** Whether the Java heap had no room for a copy, so that what was shared then is not as it was. */
  final boolean isTorn(RowPages other) {
    return other.tears != tears;
  }

  /** The page of a row, to be written to. */
  final long[] writable(int row) {
    int index = row >>> PAGE_BITS;
    if (shared != null) {
      unshare(index, shared);
    }
    return pages[index];
  }

  private void unshare(int index, boolean[] isShared) {
    if (index < isShared.length && isShared[index]) {
      try {
        pages[index] = pages[index].clone();
      } catch (OutOfMemoryError e) {
        // In the middle of an operation, which must go on: rather spoil the snapshot, and let its reader know.
        tears++;
      }
      isShared[index] = false;
    }
  }

  final long word(int row, int field) {
    return pages[row >>> PAGE_BITS][at(row) + field];
  }

  /** Where a row begins in its page. */
  static int at(int row) {
    return (row & ROW_MASK) * WORDS;
  }
}
