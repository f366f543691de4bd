package dev.cairn.allocator.bfc;

/**
 * All chunks, one row of 48 bytes each, in pages; a chunk is the index of its row. Rows of chunks that are gone are
 * chained through {@code next} and used again. Not safe for many threads.
 *
 * <pre>
 *  word     0         1       2             3                 4                 5
 *  in use   address   bytes   allocation id requested bytes   previous | next   owner  | step
 *  free     address   bytes   ~freed at     left | right      previous | next   parent | priority
 *  vacant             0       VACANT                                   | next
 * </pre>
 *
 * A free chunk has links and a priority only while it is in a tree. The low bits of the address, which is a multiple of
 * 256, mark a chunk that lies by itself outside of the pool.
 */
final class ChunkTable extends TreeRows {
  // Implementation note. One row is one or two cache lines: a free and its merges touch a handful of rows at random,
  // and with a million chunks each line is a miss. The links of the bins' trees lie where a chunk in use has what only
  // it needs.

  /** The bits of a handle that name a row. */
  static final int ROW_BITS = 28;
  /** The last pattern is left to {@link dev.cairn.allocator.Block#NO_HANDLE}. */
  static final int MAXIMUM_ROWS = (1 << ROW_BITS) - 1;

  private static final long FREE_FOR_ALL = ~0L;
  private static final long VACANT = Long.MIN_VALUE;
  private static final int ADDRESS = 0;
  private static final int BYTES = 1;
  private static final int STATE = 2;
  private static final int REQUESTED = 3;
  private static final int CHAIN = 4;
  private static final int OWNER = 5;
  private static final long RESERVED = 1;
  private static final long FLAGS = 0xFF;

  private int rows;
  private int firstVacant = NONE;
  private int vacantCount;

  /** Makes sure that {@code count} creations succeed: they then need no memory of the heap's. */
  void ensureRoom(int count) {
    if (vacantCount + capacity() - rows < count) {
      if (rows > MAXIMUM_ROWS - PAGE_ROWS) {
        throw new IllegalStateException("too many chunks: rows=%d".formatted(rows));
      }
      grow();
    }
  }

  /** A new free chunk without neighbours. Room for it was ensured. */
  int create(long atAddress, long ofBytes) {
    return create(atAddress, ofBytes, NONE, NONE);
  }

  /** A new free chunk between two others, which don't know of it yet. Room for it was ensured. */
  int create(long atAddress, long ofBytes, int previous, int next) {
    int chunk = firstVacant;
    if (chunk == NONE) {
      chunk = rows++;
    } else {
      firstVacant = next(chunk);
      vacantCount--;
    }
    long[] page = writable(chunk);
    int at = at(chunk);
    page[at + ADDRESS] = atAddress;
    page[at + BYTES] = ofBytes;
    page[at + STATE] = FREE_FOR_ALL;
    page[at + CHAIN] = pair(previous, next);
    return chunk;
  }

  /** Ends a chunk that nothing refers to any more. */
  void destroy(int chunk) {
    long[] page = writable(chunk);
    int at = at(chunk);
    page[at + STATE] = VACANT;
    page[at + CHAIN] = pair(NONE, firstVacant);
    firstVacant = chunk;
    vacantCount++;
  }

  /** Marks a chunk as in use. */
  void occupy(int chunk, long byAllocationId, long forRequestedBytes, int byOwner, int inStep) {
    long[] page = writable(chunk);
    int at = at(chunk);
    page[at + STATE] = byAllocationId;
    page[at + REQUESTED] = forRequestedBytes;
    page[at + OWNER] = pair(byOwner, inStep);
  }

  /** Marks a chunk as free since {@code freedAt}, or, for 0, free for all. */
  void vacate(int chunk, long freedAt) {
    writable(chunk)[at(chunk) + STATE] = ~freedAt;
  }

  /** Sets the chunk after a chunk; {@link #NONE} has nothing after it. */
  void setNext(int chunk, int next) {
    if (chunk != NONE) {
      long[] page = writable(chunk);
      int at = at(chunk) + CHAIN;
      page[at] = withLow(page[at], next);
    }
  }

  /** Sets the chunk before a chunk; {@link #NONE} has nothing before it. */
  void setPrevious(int chunk, int previous) {
    if (chunk != NONE) {
      long[] page = writable(chunk);
      int at = at(chunk) + CHAIN;
      page[at] = withHigh(page[at], previous);
    }
  }

  /** Moves the ends of a chunk. */
  void setRange(int chunk, long newAddress, long newBytes) {
    long[] page = writable(chunk);
    int at = at(chunk);
    page[at + ADDRESS] = newAddress | (page[at + ADDRESS] & FLAGS);
    page[at + BYTES] = newBytes;
  }

  void setBytes(int chunk, long newBytes) {
    writable(chunk)[at(chunk) + BYTES] = newBytes;
  }

  /** Says that the chunk has a region of its own, past the pool. */
  void setReserved(int chunk) {
    writable(chunk)[at(chunk) + ADDRESS] |= RESERVED;
  }

  /** Rows used so far, vacant ones included. */
  int rows() {
    return rows;
  }

  int vacantCount() {
    return vacantCount;
  }

  boolean isVacant(int chunk) {
    return state(chunk) == VACANT;
  }

  boolean isFree(int chunk) {
    long state = state(chunk);
    return state < 0 && state != VACANT;
  }

  /** Whether a chunk is free, and not only after a time. */
  boolean isFreeForAll(int chunk) {
    return state(chunk) == FREE_FOR_ALL;
  }

  boolean isInUse(int chunk) {
    return state(chunk) >= 0;
  }

  /** The grant that holds the chunk; negative when none does. */
  long allocationId(int chunk) {
    return state(chunk);
  }

  /** When a free chunk was freed, as long as that matters; 0 when it is free for all. */
  long freedAt(int chunk) {
    return ~state(chunk);
  }

  private long state(int chunk) {
    return word(chunk, STATE);
  }

  long address(int chunk) {
    return word(chunk, ADDRESS) & ~FLAGS;
  }

  boolean isReserved(int chunk) {
    return (word(chunk, ADDRESS) & RESERVED) != 0;
  }

  long bytes(int chunk) {
    return word(chunk, BYTES);
  }

  long endAddress(int chunk) {
    return address(chunk) + bytes(chunk);
  }

  /** The bytes that the holder requested; 0 when free. */
  long requestedBytes(int chunk) {
    return isInUse(chunk) ? word(chunk, REQUESTED) : 0;
  }

  int owner(int chunk) {
    return high(word(chunk, OWNER));
  }

  int step(int chunk) {
    return (int) word(chunk, OWNER);
  }

  int previous(int chunk) {
    return high(word(chunk, CHAIN));
  }

  int next(int chunk) {
    return (int) word(chunk, CHAIN);
  }

  /** Whether a chunk is all of its region. */
  boolean isAlone(int chunk) {
    return word(chunk, CHAIN) == -1;
  }

  /** The table as it is now, to be read while this one goes on; to be given back to {@link #thaw}. */
  ChunkTable freeze() {
    ChunkTable table = new ChunkTable();
    table.rows = rows;
    table.firstVacant = firstVacant;
    table.vacantCount = vacantCount;
    shareWith(table);
    return table;
  }

  /** The facts of one row, for messages. */
  String describe(int chunk) {
    return "chunk=%d address=0x%x bytes=%d requestedBytes=%d id=%d previous=%d next=%d".formatted(chunk, address(chunk),
      bytes(chunk), requestedBytes(chunk), allocationId(chunk), previous(chunk), next(chunk));
  }
}
