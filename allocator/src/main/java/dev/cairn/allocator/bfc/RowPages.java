package dev.cairn.allocator.bfc;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Rows of six words. The first {@value #FIRST_ROWS} are in one array, which grows by copies; all others are in pages
 * that are added one by one and never moved, so that a large table copies nothing to grow. Another table can share the
 * arrays of this one as they are now: a shared array is copied before it is written to, so that a snapshot costs its
 * taker one reference a page, and the first later write to a page a copy of it. Not safe for many threads; a
 * table that shares may be read by another one.
 */
class RowPages {
  // Implementation note. A page is found by way of two more loads than a row of the first array, and these lie on the
  // way from each row to the next: 13 of 55 ns for a grant and its release. A table too large for the first array is
  // too large for the nearest caches as well, where those loads count for little.

  /** Heap bytes of one row. */
  static final int ROW_BYTES = 48;
  static final int PAGE_BITS = 10;
  static final int PAGE_ROWS = 1 << PAGE_BITS;
  /** How many rows the first write after a snapshot may have to copy: as many as take a tenth of a millisecond. */
  static final int FIRST_ROWS = 16 * PAGE_ROWS;
  private static final int ROW_MASK = PAGE_ROWS - 1;
  private static final int WORDS = ROW_BYTES / Long.BYTES;

  private long[] first = {};
  private long[][] pages = new long[1][];
  private int pageCount;
  // Kept, since every operation needs it.
  private int capacity;
  // The arrays that another table shares; pages is null when there is no other table.
  private boolean isFirstShared;
  private boolean @Nullable [] sharedPages;
  private int sharers;
  private int tears;

  /** Rows that there is room for. */
  final int capacity() {
    return capacity;
  }

  /** Heap bytes of all rows, used or not. */
  final long metadataBytes() {
    return (long) capacity() * ROW_BYTES;
  }

  /** Makes room for more rows. */
  final void grow() {
    if (first.length < FIRST_ROWS * WORDS) {
      first = Arrays.copyOf(first, Math.max(PAGE_ROWS * WORDS, 2 * first.length));
      isFirstShared = false;
      capacity = first.length / WORDS;
      return;
    }
    long[] page = new long[PAGE_ROWS * WORDS];
    if (pageCount == pages.length) {
      pages = Arrays.copyOf(pages, pageCount * 2);
    }
    pages[pageCount++] = page;
    capacity += PAGE_ROWS;
  }

  /** Lets {@code other}, which is new, have the rows as they are now. */
  final void shareWith(RowPages other) {
    boolean[] all = new boolean[pageCount];
    Arrays.fill(all, true);
    other.pages = pages.clone();
    other.pageCount = pageCount;
    other.first = first;
    other.capacity = capacity;
    other.tears = tears;
    sharedPages = all;
    isFirstShared = true;
    sharers++;
  }

  /** Ends a sharing. */
  final void thaw() {
    if (--sharers == 0) {
      sharedPages = null;
      isFirstShared = false;
    }
  }

  /** Whether the Java heap had no room for a copy, so that rows that were shared then have changed. */
  final boolean isTorn(RowPages other) {
    return other.tears != tears;
  }

  /** The array that a row is in, to be written to. */
  final long[] writable(int row) {
    return row < FIRST_ROWS && !isFirstShared ? first : ownArrayOf(row);
  }

  private long[] ownArrayOf(int row) {
    if (row < FIRST_ROWS) {
      unshareFirst();
      return first;
    }
    if (sharedPages != null) {
      unshare(pageOf(row), sharedPages);
    }
    return pages[pageOf(row)];
  }

  // The copies may fail in the middle of an operation, which must go on. Then the snapshot is spoilt, and its reader is
  // notified.

  private void unshareFirst() {
    try {
      first = first.clone();
    } catch (OutOfMemoryError e) {
      tears++;
    }
    isFirstShared = false;
  }

  private void unshare(int page, boolean[] isShared) {
    if (page < isShared.length && isShared[page]) {
      try {
        pages[page] = pages[page].clone();
      } catch (OutOfMemoryError e) {
        tears++;
      }
      isShared[page] = false;
    }
  }

  final long word(int row, int field) {
    // One comparison says that the row is in the first array and spares the JVM its own check of the index. There is no
    // overflow: rows stay below 2^28.
    int at = row * WORDS + field;
    long[] array = first;
    return Integer.compareUnsigned(at, array.length) < 0 ? array[at] : wordOfPage(row, field);
  }

  private long wordOfPage(int row, int field) {
    return pages[pageOf(row)][(row & ROW_MASK) * WORDS + field];
  }

  /** Where a row begins in its array. */
  static int at(int row) {
    return (row < FIRST_ROWS ? row : row & ROW_MASK) * WORDS;
  }

  private static int pageOf(int row) {
    return (row - FIRST_ROWS) >>> PAGE_BITS;
  }
}
