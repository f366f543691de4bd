package dev.cairn.allocator.layer;

import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.TrimPolicy;
import org.jspecify.annotations.Nullable;

/**
 * Waits for memory when there is none, fairly, and finds out when waiting is in vain. Safe for use by many threads,
 * virtual ones too. Only {@link OutOfMemory} is waited out, only for requests that {@link AllocationRequest#waits()},
 * and never one above the limit. The idea is TensorFlow's AllocatorRetry, which is neither fair nor sees deadlocks.
 *
 * <p><b>Whose turn it is.</b> Requests that wait stand in one queue, by arrival; one that comes while others wait
 * queues too. A request may overtake another only if that one has been overtaken fewer than
 * {@link RetryOptions#overtakings()} times, and is of a larger size class; or if that one can't be served before some
 * request that waits is: then any may overtake it until it has been overtaken so often, and after that only those whose
 * clients hold memory. So each request is served some time, however many smaller ones come, if only all clients give
 * back what they hold.
 *
 * <p><b>Deadlock.</b> Blocks are held by <em>clients</em>: by default the thread that asked, or a {@link Client}. A
 * client that waits frees nothing meanwhile. When those who wait can't be served even if all others free all they hold,
 * the one of them that came last and holds something is failed with {@link OutOfMemory}, which names them all; the
 * others go on waiting for what it will free. Reserved blocks are taken to stay. A block that goes to another client is
 * {@link #transfer}red, or {@link #share}d if anyone may free it; when another client frees a block unannounced, its
 * holder's blocks count as shared from then on.
 *
 * <p>A thread that is interrupted while it waits stops waiting: its request fails with {@link OutOfMemory}, and its
 * interrupt status is set.
 */
public final class RetryingAllocator extends Layer {
  private final Holdings holdings = new Holdings();
  private final Holder anyone = Holder.anyone();
  private final Holder settled = Holder.named("reserved");
  private final ThreadLocal<Holder> threads;
  private final WaitQueue queue;

  /** A layer over {@code upstream}. */
  public RetryingAllocator(Allocator upstream, RetryOptions options) {
    super(upstream);
    this.threads = ThreadLocal.withInitial(
      options.holders() == RetryOptions.Holders.ANYONE ? () -> anyone : Holder::thisThread);
    this.queue = new WaitQueue(upstream, options, settled, this::keep);
  }

  /** A view of this allocator that counts what it grants as held by a client of its own. */
  public Client client(String name) {
    return new Client(this, Holder.named(name));
  }

  @Override
  Block grant(AllocationRequest request, Way way) {
    return grant(request, way, threads.get());
  }

  Block grant(AllocationRequest request, Way way, Holder asker) {
    if (request.bytes() == 0) {
      return way.from(upstream, request);
    }
    if (queue.isWaitedIn()) {
      return queue.enter(request, way, asker);
    }
    Block block;
    try {
      block = way.from(upstream, request);
    } catch (OutOfMemory e) {
      if (!queue.mayWait(request) || request.bytes() > e.memoryMap().stats().limitBytes()) {
        throw e;
      }
      return queue.enter(request, way, asker);
    }
    keep(block, asker, way);
    return block;
  }

  private void keep(Block block, Holder asker, Way way) {
    try {
      holdings.add(block, way == Way.RESERVE ? settled : asker);
    } catch (Throwable e) {
      giveBack(block, e);
      throw e;
    }
  }

  @Override
  public void free(Block block) {
    free(block, null);
  }

  /** Frees for a client, or for the calling thread. */
  void free(Block block, @Nullable Holder by) {
    Holder holder = block.isEmpty() ? null : holdings.remove(block);
    if (holder != null && holder != settled && (by == null ? !holder.isCallingThread() : holder != by)) {
      holder.share();
    }
    boolean gone = false;
    try {
      upstream.free(block);
      gone = true;
    } finally {
      if (!gone && holder != null && HeldBlocks.isHeld(upstream, block)) {
        holdings.add(block, holder);
      }
      queue.serve();
    }
  }

  /**
   * Notes that a block is now another client's.
   *
   * @throws IllegalArgumentException when the block isn't held
   */
  public void transfer(Block block, Client to) {
    transfer(block, to.holder());
  }

  /** As {@link #transfer}, to the calling thread. */
  public void adopt(Block block) {
    transfer(block, threads.get());
  }

  /** As {@link #transfer}, to nobody in particular: anyone may free it at any time. */
  public void share(Block block) {
    transfer(block, anyone);
  }

  private void transfer(Block block, Holder to) {
    if (!block.isEmpty() && !holdings.transfer(block, to)) {
      throw new IllegalArgumentException("block is not held here: to=%s %s".formatted(to.name(), block));
    }
    queue.serve();
  }

  /** Tells that memory may have come free without a free: a safe frontier has passed, a source has more to give. */
  public void wake() {
    queue.serveAnew();
  }

  @Override
  public long trim(TrimPolicy policy) {
    try {
      return upstream.trim(policy);
    } finally {
      queue.serveAnew();
    }
  }

  @Override
  public void close() {
    upstream.close();
    queue.serveAnew();
  }

  /** What waiting came to. */
  public RetryStats retryStats() {
    return queue.stats();
  }
}
