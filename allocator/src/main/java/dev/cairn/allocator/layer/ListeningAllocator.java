package dev.cairn.allocator.layer;

import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.Listeners;
import dev.cairn.allocator.OutOfMemory;

/**
 * Tells a listener what goes through it, for upstreams that have no listeners of their own; of regions it knows
 * nothing. Safe for use by many threads: the listener is called by one at a time, and hears of a free before it hears
 * of the next grant of the same bytes. When it throws it is detached, as {@link AllocationListener} says.
 */
public final class ListeningAllocator extends Layer {
  private final AllocationListener listener;
  private final Object telling = new Object();

  /** A layer over {@code upstream}. */
  public ListeningAllocator(Allocator upstream, AllocationListener listener) {
    super(upstream);
    this.listener = Listeners.of(listener);
  }

  @Override
  Block grant(AllocationRequest request, Way way) {
    Block block;
    try {
      block = way.from(upstream, request);
    } catch (OutOfMemory e) {
      synchronized (telling) {
        listener.refused(e);
      }
      throw e;
    }
    if (!block.isEmpty()) {
      synchronized (telling) {
        listener.granted(block.allocationId(), block.address(), block.bytes(), block.requestedBytes(),
          request.owner());
      }
    }
    return block;
  }

  @Override
  public void free(Block block) {
    if (block.isEmpty()) {
      upstream.free(block);
      return;
    }
    // Nobody can be told of a new grant of these bytes before this is over.
    synchronized (telling) {
      upstream.free(block);
      listener.freed(block.allocationId(), block.address(), block.bytes());
    }
  }
}
