package dev.cairn.runtime.engine;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The blocks that wait at one variable, in the order pushed, each as reader or as writer: a ring that grows by
 * doubling, and is given up when it empties after having been very long. For who holds the variable's lock.
 */
final class WaitingLine {
  private static final int USUAL = 4;
  private static final int LONG = 16_384;

  private @Nullable Block[] blocks = new @Nullable Block[USUAL];
  private boolean[] writes = new boolean[USUAL];
  private int first;
  private int count;

  boolean isEmpty() {
    return count == 0;
  }

  void add(Block block, boolean write) {
    if (count == blocks.length) {
      grow();
    }
    int index = (first + count++) & (blocks.length - 1);
    blocks[index] = block;
    writes[index] = write;
  }

  boolean startsWithWrite() {
    return writes[first];
  }

  Block take() {
    Block block = blocks[first];
    if (block == null) {
      throw new AssertionError("nobody waits: count=" + count);
    }
    blocks[first] = null;
    first = (first + 1) & (blocks.length - 1);
    count--;
    if (count == 0 && blocks.length > LONG) {
      blocks = new @Nullable Block[USUAL];
      writes = new boolean[USUAL];
      first = 0;
    }
    return block;
  }

  private void grow() {
    int length = blocks.length;
    @Nullable
    Block[] moreBlocks = Arrays.copyOf(blocks, 2 * length);
    boolean[] moreWrites = Arrays.copyOf(writes, 2 * length);
    // What had wrapped round to the start now goes on behind the old end.
    System.arraycopy(blocks, 0, moreBlocks, length, first);
    System.arraycopy(writes, 0, moreWrites, length, first);
    Arrays.fill(moreBlocks, 0, first, null);
    blocks = moreBlocks;
    writes = moreWrites;
  }
}
