package dev.cairn.allocator.replay;

import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.bfc.BfcAllocator;
import dev.cairn.allocator.OutOfMemory;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** An allocator as a replay sees it: it grants and frees by the trace's block numbers. Not safe for many threads. */
interface ReplayFace {
  /** Whether the grant was met. */
  boolean grant(int block, long bytes);

  /** Frees a block; nothing happens where its grant was not met. */
  void free(int block);

  /** The fastest face that the allocator has. */
  static ReplayFace of(Allocator allocator, int blocks) {
    return allocator instanceof BfcAllocator quick ? new Handles(quick, blocks) : new Blocks(allocator, blocks);
  }

  /** By primitive handles: no object is made for an event. */
  final class Handles implements ReplayFace {
    private final BfcAllocator allocator;
    private final long[] handles;

    Handles(BfcAllocator allocator, int blocks) {
      this.allocator = allocator;
      this.handles = new long[blocks];
      Arrays.fill(handles, Block.NO_HANDLE);
    }

    @Override
    public boolean grant(int block, long bytes) {
      long handle = allocator.tryGrant(bytes);
      handles[block] = handle;
      return handle != Block.NO_HANDLE;
    }

    @Override
    public void free(int block) {
      long handle = handles[block];
      if (handle != Block.NO_HANDLE) {
        handles[block] = Block.NO_HANDLE;
        allocator.release(handle);
      }
    }
  }

  /** By blocks, which every allocator has. */
  final class Blocks implements ReplayFace {
    private final Allocator allocator;
    private final @Nullable Block[] blocks;

    Blocks(Allocator allocator, int blocks) {
      this.allocator = allocator;
      this.blocks = new Block[blocks];
    }

    @Override
    public boolean grant(int block, long bytes) {
      try {
        blocks[block] = allocator.allocate(AllocationRequest.of(bytes));
        return true;
      } catch (OutOfMemory refusal) {
        return false;
      }
    }

    @Override
    public void free(int block) {
      Block held = blocks[block];
      if (held != null) {
        blocks[block] = null;
        allocator.free(held);
      }
    }
  }
}
