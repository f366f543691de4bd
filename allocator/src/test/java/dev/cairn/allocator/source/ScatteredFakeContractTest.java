package dev.cairn.allocator.source;

class ScatteredFakeContractTest extends SubAllocatorContract {
  @Override
  protected SubAllocator newSource() {
    return FakeSubAllocator.scattered(64L << 20);
  }
}
