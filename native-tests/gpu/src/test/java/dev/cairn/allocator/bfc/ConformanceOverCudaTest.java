package dev.cairn.allocator.bfc;

import dev.cairn.allocator.source.CudaSubAllocator;
import dev.cairn.allocator.source.SubAllocator;
import dev.cairn.gpu.CudaUnderTest;
import dev.cairn.gpu.TrackedSources;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Over the driver's plain allocation call; gigabytes are gigabytes. */
class ConformanceOverCudaTest extends ConformanceSuites {
  @RegisterExtension
  final TrackedSources sources = new TrackedSources();

  @Override
  public SubAllocator newSource() {
    CudaUnderTest.loaded();
    var source = CudaSubAllocator.of(0);
    return sources.watch(source, source::close);
  }
}
