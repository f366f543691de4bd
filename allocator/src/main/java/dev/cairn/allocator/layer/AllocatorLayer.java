package dev.cairn.allocator.layer;

import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.MemorySpace;
import dev.cairn.allocator.TrimPolicy;

/** The common part of layers: an upstream, which does all that the layer does not. */
abstract class AllocatorLayer implements Allocator {
  final Allocator upstream;

  AllocatorLayer(Allocator upstream) {
    this.upstream = upstream;
  }

  /** The two calls that ask for memory, distinguished by a value, so that a layer treats them in one place. */
  enum Way {
    ALLOCATE {
      @Override
      Block from(Allocator allocator, AllocationRequest request) {
        return allocator.allocate(request);
      }
    },
    RESERVE {
      @Override
      Block from(Allocator allocator, AllocationRequest request) {
        return allocator.reserve(request);
      }
    };

    abstract Block from(Allocator allocator, AllocationRequest request);
  }

  /** Grants a request in one of the two ways. */
  abstract Block grant(AllocationRequest request, Way way);

  @Override
  public final Block allocate(AllocationRequest request) {
    return grant(request, Way.ALLOCATE);
  }

  @Override
  public final Block reserve(AllocationRequest request) {
    return grant(request, Way.RESERVE);
  }

  /** Gives a block back that came from upstream a moment ago, because of a failure, which is reported instead. */
  final void giveBack(Block block, Throwable failure) {
    try {
      upstream.free(block);
    } catch (RuntimeException | Error e) {
      failure.addSuppressed(e);
    }
  }

  @Override
  public MemorySpace space() {
    return upstream.space();
  }

  @Override
  public long trim(TrimPolicy policy) {
    return upstream.trim(policy);
  }

  @Override
  public AllocatorStats stats() {
    return upstream.stats();
  }

  @Override
  public AllocatorStats clearStats() {
    return upstream.clearStats();
  }

  @Override
  public MemoryMap memoryMap() {
    return upstream.memoryMap();
  }

  @Override
  public void validate() {
    upstream.validate();
  }

  @Override
  public void close() {
    upstream.close();
  }

  @Override
  public String toString() {
    return getClass().getSimpleName() + " over " + upstream;
  }
}
