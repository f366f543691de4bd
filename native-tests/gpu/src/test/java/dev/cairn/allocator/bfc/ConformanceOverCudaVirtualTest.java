package dev.cairn.allocator.bfc;

import dev.cairn.allocator.source.CudaVirtualSubAllocator;
import dev.cairn.allocator.source.SubAllocator;
import dev.cairn.gpu.CudaUnderTest;
import dev.cairn.gpu.TrackedSources;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Over mapped virtual addresses; gigabytes are gigabytes. */
@Tag("long")
class ConformanceOverCudaVirtualTest extends ConformanceSuites {
  @RegisterExtension
  final TrackedSources sources = new TrackedSources();

  @Override
  public SubAllocator newSource() {
    CudaUnderTest.loaded();
    var source = CudaVirtualSubAllocator.of(0);
    return sources.watch(source, source::close);
  }
}
