package dev.cairn.runtime;

import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.MemorySpace;
import dev.cairn.allocator.TrimPolicy;

/** An allocator all of whose blocks have regions of their own: for what stays. Does not own its upstream. */
record ReservingAllocator(Allocator upstream) implements Allocator {
  @Override
  public MemorySpace space() {
    return upstream.space();
  }

  @Override
  public Block allocate(AllocationRequest request) {
    return upstream.reserve(request);
  }

  @Override
  public Block reserve(AllocationRequest request) {
    return upstream.reserve(request);
  }

  @Override
  public void free(Block block) {
    upstream.free(block);
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
  public void close() {}
}
