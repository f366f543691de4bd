package dev.cairn.allocator.layer;

import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.OutOfMemory;

/**
 * Asks somebody to free something when memory is short, and tries again as long as that one says so. Only
 * {@link OutOfMemory} counts; all else passes. Until there is no more relief nothing waits; then a request that may
 * wait is made once more, so that a layer below can wait for it. Safe for use by many threads, as far as the relief is,
 * which is called with no lock held. The idea is RMM's failure callback.
 */
public final class RelievingAllocator extends Layer {
  private final AllocationRelief relief;

  /** A layer over {@code upstream}. */
  public RelievingAllocator(Allocator upstream, AllocationRelief relief) {
    super(upstream);
    this.relief = relief;
  }

  @Override
  Block grant(AllocationRequest request, Way way) {
    AllocationRequest atOnce = request.waits() ? request.withoutWaiting() : request;
    while (true) {
      try {
        return way.from(upstream, atOnce);
      } catch (OutOfMemory e) {
        if (!relieved(e)) {
          if (!request.waits()) {
            throw e;
          }
          return way.from(upstream, request);
        }
      }
    }
  }

  private boolean relieved(OutOfMemory refusal) {
    try {
      return relief.relieve(refusal);
    } catch (RuntimeException | Error e) {
      if (e != refusal) {
        e.addSuppressed(refusal);
      }
      throw e;
    }
  }

  @Override
  public void free(Block block) {
    upstream.free(block);
  }
}
