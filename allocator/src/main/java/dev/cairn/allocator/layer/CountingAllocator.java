package dev.cairn.allocator.layer;

import dev.cairn.allocator.BlockGauges;
import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.Block;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Counts what goes through it, in scopes that nest: how much a part of a program takes, whatever goes on around it.
 * Safe for use by many threads, all of which count in the innermost scope. The idea is RMM's statistics adaptor.
 *
 * <p>A scope begins with zeros; what it counts is added to the one around it when it ends. Blocks that it frees but
 * didn't ask for make its current figures negative. Blocks that were never asked for here aren't counted when freed.
 */
public final class CountingAllocator extends Layer {
  private final HeldBlocks<CountingAllocator> counted = new HeldBlocks<>();
  private final Deque<BlockGauges> scopes = new ArrayDeque<>();

  /** A layer over {@code upstream}, with one scope, which never ends. */
  public CountingAllocator(Allocator upstream) {
    super(upstream);
    scopes.push(new BlockGauges());
  }

  /** Begins a scope. */
  public synchronized void push() {
    scopes.push(new BlockGauges());
  }

  /**
   * Ends the innermost scope and answers what it counted.
   *
   * @throws IllegalStateException when none was begun
   */
  public synchronized AllocatorStats.Blocks pop() {
    if (scopes.size() == 1) {
      throw new IllegalStateException("no scope was begun: space=" + space());
    }
    BlockGauges ended = scopes.pop();
    scopes.element().append(ended);
    return ended.blocks();
  }

  /** What the innermost scope has counted so far. */
  public synchronized AllocatorStats.Blocks counted() {
    return scopes.element().blocks();
  }

  @Override
  Block grant(AllocationRequest request, Way way) {
    Block block = way.from(upstream, request);
    if (!block.isEmpty()) {
      try {
        granted(block);
      } catch (Throwable e) {
        giveBack(block, e);
        throw e;
      }
    }
    return block;
  }

  @Override
  public void free(Block block) {
    // Taken off first: once upstream has it, the same bytes may be granted and counted anew.
    boolean wasCounted = !block.isEmpty() && forgotten(block);
    boolean gone = false;
    try {
      upstream.free(block);
      gone = true;
    } finally {
      if (wasCounted) {
        freed(block, gone || !HeldBlocks.isHeld(upstream, block));
      }
    }
  }

  private synchronized void granted(Block block) {
    counted.put(block, this);
    scopes.element().granted(block.bytes(), block.requestedBytes());
  }

  private synchronized boolean forgotten(Block block) {
    return counted.remove(block) != null;
  }

  private synchronized void freed(Block block, boolean gone) {
    if (gone) {
      scopes.element().freed(block.bytes(), block.requestedBytes());
    } else {
      counted.put(block, this);
    }
  }
}
