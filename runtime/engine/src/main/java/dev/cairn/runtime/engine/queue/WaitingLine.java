package dev.cairn.runtime.engine.queue;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The blocks that wait at one variable, in the order pushed: a ring that grows by doubling, and is given up when it
 * empties after having been very long. A writer has a mark before it, so that one array tells all. For the thread that
 * holds the variable's lock. Part of the variable itself, and not an object of its own: with very many variables each
 * further object is a cache miss.
 */
abstract class WaitingLine extends LockedWord {
  private static final int USUAL = 4;
  private static final int LONG = 16_384;
  private static final @Nullable OperationBlock[] NOBODY = {};
  /** Says that the next one is a writer. */
  private static final OperationBlock WRITER = OperationBlock.stub();

  private @Nullable OperationBlock[] ring = NOBODY;
  private int first;
  private int slots;

  WaitingLine(long[] words, int at) {
    super(words, at);
  }

  final boolean isLineEmpty() {
    return slots == 0;
  }

  /** Makes room, so that the next thread can be added without an allocation. */
  final void makeRoom() {
    if (slots + 2 > ring.length) {
      grow();
    }
  }

  /** After {@link #makeRoom}. */
  final void addToLine(OperationBlock block, boolean write) {
    if (write) {
      put(WRITER);
    }
    put(block);
  }

  private void put(OperationBlock block) {
    ring[(first + slots++) & (ring.length - 1)] = block;
  }

  @SuppressWarnings("ReferenceEquality")
  final boolean startsWithWrite() {
    return slots != 0 && ring[first] == WRITER;
  }

  final OperationBlock takeFromLine() {
    if (startsWithWrite()) {
      take();
    }
    OperationBlock block = take();
    if (slots == 0 && ring.length > LONG) {
      ring = NOBODY;
      first = 0;
    }
    return block;
  }

  private OperationBlock take() {
    OperationBlock block = slots == 0 ? null : ring[first];
    if (block == null) {
      throw new AssertionError("no operation waits: slots=" + slots);
    }
    ring[first] = null;
    first = (first + 1) & (ring.length - 1);
    slots--;
    return block;
  }

  private void grow() {
    int length = ring.length;
    if (length == 0) {
      ring = new @Nullable OperationBlock[USUAL];
      return;
    }
    @Nullable
    OperationBlock[] longer = Arrays.copyOf(ring, 2 * length);
    // The part of the ring that had wrapped round to the start now follows the old end.
    System.arraycopy(ring, 0, longer, length, first);
    Arrays.fill(longer, 0, first, null);
    ring = longer;
  }
}
