package dev.cairn.allocator.layer;

import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.Block;

/**
 * Gives each block a region of its own, which goes back to the source when the block is freed: for memory that stays
 * long. Unlike other layers it does not own its upstream, which serves other requests too.
 */
public final class ReservingAllocator extends Layer {
  /** A layer over {@code upstream}, which lasts longer. */
  public ReservingAllocator(Allocator upstream) {
    super(upstream);
  }

  @Override
  Block grant(AllocationRequest request, Way way) {
    return upstream.reserve(request);
  }

  @Override
  public void free(Block block) {
    upstream.free(block);
  }

  @Override
  public void close() {}
}
