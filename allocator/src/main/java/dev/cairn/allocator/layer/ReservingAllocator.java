package dev.cairn.allocator.layer;

import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.Block;

/**
 * Gives each block its own region, which returns to the source when the block is freed: for long-lived memory. Unlike
 * other layers, it does not own its upstream, which also serves other requests.
 */
public final class ReservingAllocator extends AllocatorLayer {
  /** A layer over {@code upstream}, which must outlive it. */
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
