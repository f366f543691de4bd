package dev.cairn.allocator.source;

import dev.cairn.gpu.CudaUnderTest;
import dev.cairn.gpu.TrackedSources;
import org.junit.jupiter.api.extension.RegisterExtension;

class PinnedSubAllocatorContractTest extends SubAllocatorContract {
  @RegisterExtension
  final TrackedSources sources = new TrackedSources();

  @Override
  protected SubAllocator newSource() {
    CudaUnderTest.loaded();
    var source = PinnedSubAllocator.of(0);
    return sources.watch(source, source::close);
  }
}
