package dev.cairn.allocator.layer;

import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.Block;

/**
 * A {@link RetryingAllocator} as one line of work sees it, on whichever threads it runs: what it asks for here is held
 * by it, and is to be freed here. While a request of it waits it frees nothing; work that goes on meanwhile is another
 * client. Safe for use by many threads. Closing ends the view alone.
 */
public final class Client extends Layer {
  private final RetryingAllocator shared;
  private final Holder holder;
  private volatile boolean closed;

  Client(RetryingAllocator shared, Holder holder) {
    super(shared);
    this.shared = shared;
    this.holder = holder;
  }

  /** Who it is. */
  public String name() {
    return holder.name();
  }

  /** What it holds. */
  public long heldBytes() {
    return holder.bytes();
  }

  Holder holder() {
    return holder;
  }

  @Override
  Block grant(AllocationRequest request, Way way) {
    requireOpen();
    return shared.grant(request, way, holder);
  }

  @Override
  public void free(Block block) {
    requireOpen();
    shared.free(block, holder);
  }

  /**
   * Ends the view.
   *
   * @throws IllegalStateException when the client still holds blocks (nothing is changed then), or when closed before
   */
  @Override
  public void close() {
    requireOpen();
    if (holder.blocks() > 0) {
      throw new IllegalStateException("blocks are still held: client=%s liveCount=%d bytesInUse=%d".formatted(name(),
        holder.blocks(), holder.bytes()));
    }
    closed = true;
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("client is closed: client=" + name());
    }
  }

  @Override
  public String toString() {
    return "client=%s heldBytes=%d".formatted(name(), heldBytes());
  }
}
