package dev.cairn.allocator.trace;

import java.util.Arrays;
import java.util.BitSet;

/** Puts a trace together, event by event. Not safe for many threads. */
public final class TraceBuilder {
  private static final int MAXIMUM_EVENTS = 1 << 30;

  private int[] events = new int[64];
  private int eventCount;
  private long[] bytes = new long[64];
  private int blockCount;
  // Blocks that were held before the first event, in the order in which they were noticed.
  private int[] held = new int[0];
  private int heldCount;
  private final BitSet live = new BitSet();
  private long failures;
  private long impliedFrees;
  private long strayFrees;
  private long empties;

  /**
   * A grant.
   *
   * @return the number of its block
   * @throws IllegalArgumentException when {@code wantedBytes} is not positive
   */
  public int grant(long wantedBytes) {
    int block = newBlock(wantedBytes);
    add(block);
    return block;
  }

  /**
   * A block that was held before the first event. It is live, and still to be freed.
   *
   * @return its number
   */
  public int heldFromStart(long wantedBytes) {
    int block = newBlock(wantedBytes);
    held = withRoom(held, heldCount);
    held[heldCount++] = block;
    return block;
  }

  /**
   * A free.
   *
   * @throws IllegalArgumentException when the block isn't live
   */
  public void free(int block) {
    if (block < 0 || !live.get(block)) {
      throw new IllegalArgumentException("block is not live: block=%d blocks=%d".formatted(block, blockCount));
    }
    live.clear(block);
    add(~block);
  }

  /** Notes a request that was not met. */
  public void failure() {
    failures++;
  }

  /** Frees a block for which the free is missing. */
  public void impliedFree(int block) {
    free(block);
    impliedFrees++;
  }

  /** Notes the free of something that isn't held. */
  public void strayFree() {
    strayFrees++;
  }

  /** Notes a grant or a free of nothing. */
  public void empty() {
    empties++;
  }

  /**
   * All events so far; those blocks first that were held before.
   *
   * @throws IllegalArgumentException when more bytes are live at once than a long holds
   */
  public AllocationTrace build() {
    if (heldCount > MAXIMUM_EVENTS - eventCount) {
      throw tooMany();
    }
    int[] all = new int[heldCount + eventCount];
    System.arraycopy(held, 0, all, 0, heldCount);
    System.arraycopy(events, 0, all, heldCount, eventCount);
    return new AllocationTrace(all, Arrays.copyOf(bytes, blockCount),
      new TraceNotes(failures, heldCount, impliedFrees, strayFrees, empties));
  }

  private int newBlock(long wantedBytes) {
    if (wantedBytes <= 0) {
      throw new IllegalArgumentException("bytes must be positive: bytes=" + wantedBytes);
    }
    if (blockCount == bytes.length) {
      bytes = Arrays.copyOf(bytes, 2 * blockCount);
    }
    bytes[blockCount] = wantedBytes;
    live.set(blockCount);
    return blockCount++;
  }

  private void add(int event) {
    if (eventCount == MAXIMUM_EVENTS) {
      throw tooMany();
    }
    events = withRoom(events, eventCount);
    events[eventCount++] = event;
  }

  private static int[] withRoom(int[] array, int count) {
    return count < array.length ? array : Arrays.copyOf(array, Math.max(64, 2 * count));
  }

  private static IllegalArgumentException tooMany() {
    return new IllegalArgumentException("too many events: most=" + MAXIMUM_EVENTS);
  }
}
