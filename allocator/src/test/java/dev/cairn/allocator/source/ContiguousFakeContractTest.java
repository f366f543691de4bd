package dev.cairn.allocator.source;

class ContiguousFakeContractTest extends SubAllocatorContract {
  @Override
  protected SubAllocator newSource() {
    return FakeSubAllocator.contiguous(64L << 20);
  }
}
