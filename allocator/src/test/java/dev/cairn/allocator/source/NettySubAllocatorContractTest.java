package dev.cairn.allocator.source;

class NettySubAllocatorContractTest extends SubAllocatorContract {
  @Override
  protected SubAllocator newSource() {
    return new NettySubAllocator();
  }
}
