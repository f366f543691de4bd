package dev.cairn.allocator.bfc;

import dev.cairn.allocator.Owner;
import java.util.Arrays;

/**
 * All chunks, one row each, as parallel arrays; a chunk is the index of its row. Rows of chunks that are gone are
 * chained through {@code next} and used again. Not safe for many threads.
 *
 * <pre>
 *  row         0         1         2        3
 *  address   base     base+512   base+768  (vacant)      chunk 0 | chunk 1 | chunk 2
 *  id          7       FREE         9      VACANT           7    |  free   |    9
 * </pre>
 */
final class ChunkTable {
  /** No chunk. */
  static final int NONE = -1;
  /** Rows that a handle can tell apart. */
  static final int MAXIMUM_ROWS = Handles.MAXIMUM_CHUNKS;
  private static final long FREE = -1;
  private static final long VACANT = -2;
  private static final int FIRST_ROWS = 64;

  private long[] address = new long[FIRST_ROWS];
  private long[] bytes = new long[FIRST_ROWS];
  private long[] requestedBytes = new long[FIRST_ROWS];
  private long[] allocationId = new long[FIRST_ROWS];
  private int[] previous = new int[FIRST_ROWS];
  private int[] next = new int[FIRST_ROWS];
  // Links of the bins' trees, kept here so that a chunk has one row and one row only.
  private int[] left = new int[FIRST_ROWS];
  private int[] right = new int[FIRST_ROWS];
  private Owner[] owner = new Owner[FIRST_ROWS];
  private int rows;
  private int firstVacant = NONE;
  private int vacantCount;

  /** Makes sure that {@code count} creations succeed: they then need no memory of the heap's. */
  void ensureRoom(int count) {
    if (vacantCount + address.length - rows < count) {
      grow();
    }
  }

  private void grow() {
    if (address.length >= MAXIMUM_ROWS) {
      throw new IllegalStateException("too many chunks: rows=%d".formatted(rows));
    }
    int length = Math.min(MAXIMUM_ROWS, address.length * 2);
    // All copies before the first assignment: when one fails, the table is as it was.
    long[] newAddress = Arrays.copyOf(address, length);
    long[] newBytes = Arrays.copyOf(bytes, length);
    long[] newRequestedBytes = Arrays.copyOf(requestedBytes, length);
    long[] newAllocationId = Arrays.copyOf(allocationId, length);
    int[] newPrevious = Arrays.copyOf(previous, length);
    int[] newNext = Arrays.copyOf(next, length);
    int[] newLeft = Arrays.copyOf(left, length);
    int[] newRight = Arrays.copyOf(right, length);
    owner = Arrays.copyOf(owner, length);
    address = newAddress;
    bytes = newBytes;
    requestedBytes = newRequestedBytes;
    allocationId = newAllocationId;
    previous = newPrevious;
    next = newNext;
    left = newLeft;
    right = newRight;
  }

  /** A new free chunk without neighbours. Room for it was ensured. */
  int create(long atAddress, long ofBytes) {
    int chunk = firstVacant;
    if (chunk == NONE) {
      chunk = rows++;
    } else {
      firstVacant = next[chunk];
      vacantCount--;
    }
    address[chunk] = atAddress;
    bytes[chunk] = ofBytes;
    previous[chunk] = NONE;
    next[chunk] = NONE;
    vacate(chunk);
    return chunk;
  }

  /** Ends a chunk that nothing refers to any more. */
  void destroy(int chunk) {
    allocationId[chunk] = VACANT;
    bytes[chunk] = 0;
    next[chunk] = firstVacant;
    firstVacant = chunk;
    vacantCount++;
  }

  /** Marks a chunk as in use. */
  void occupy(int chunk, long byAllocationId, long forRequestedBytes, Owner byOwner) {
    allocationId[chunk] = byAllocationId;
    requestedBytes[chunk] = forRequestedBytes;
    owner[chunk] = byOwner;
  }

  /** Marks a chunk as free. */
  void vacate(int chunk) {
    allocationId[chunk] = FREE;
    requestedBytes[chunk] = 0;
    owner[chunk] = Owner.NONE;
  }

  /** Puts {@code second} after {@code first} in the chain; either may be {@link #NONE}. */
  void link(int first, int second) {
    if (first != NONE) {
      next[first] = second;
    }
    if (second != NONE) {
      previous[second] = first;
    }
  }

  /** Rows used so far, vacant ones included. */
  int rows() {
    return rows;
  }

  int vacantCount() {
    return vacantCount;
  }

  boolean isVacant(int chunk) {
    return allocationId[chunk] == VACANT;
  }

  boolean isFree(int chunk) {
    return allocationId[chunk] == FREE;
  }

  boolean isInUse(int chunk) {
    return allocationId[chunk] >= 0;
  }

  long address(int chunk) {
    return address[chunk];
  }

  long endAddress(int chunk) {
    return address[chunk] + bytes[chunk];
  }

  long bytes(int chunk) {
    return bytes[chunk];
  }

  void setBytes(int chunk, long newBytes) {
    bytes[chunk] = newBytes;
  }

  long requestedBytes(int chunk) {
    return requestedBytes[chunk];
  }

  /** The grant that holds the chunk; negative when none does. */
  long allocationId(int chunk) {
    return allocationId[chunk];
  }

  Owner owner(int chunk) {
    return owner[chunk];
  }

  int previous(int chunk) {
    return previous[chunk];
  }

  int next(int chunk) {
    return next[chunk];
  }

  int left(int chunk) {
    return left[chunk];
  }

  void setLeft(int chunk, int child) {
    left[chunk] = child;
  }

  int right(int chunk) {
    return right[chunk];
  }

  void setRight(int chunk, int child) {
    right[chunk] = child;
  }

  /** The facts of one row, for messages. */
  String describe(int chunk) {
    return "chunk=%d address=0x%x bytes=%d requestedBytes=%d id=%d previous=%d next=%d".formatted(chunk, address[chunk],
      bytes[chunk], requestedBytes[chunk], allocationId[chunk], previous[chunk], next[chunk]);
  }
}
