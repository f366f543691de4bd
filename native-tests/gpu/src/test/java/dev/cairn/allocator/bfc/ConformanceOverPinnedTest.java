package dev.cairn.allocator.bfc;

import dev.cairn.allocator.source.PinnedSubAllocator;
import dev.cairn.allocator.source.SubAllocator;
import dev.cairn.gpu.CudaUnderTest;
import dev.cairn.gpu.TrackedSources;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Over page-locked memory, with an eighth of the bytes where a case would have gigabytes. */
class ConformanceOverPinnedTest extends ConformanceSuites {
  @RegisterExtension
  final TrackedSources sources = new TrackedSources();

  @Override
  public SubAllocator newSource() {
    CudaUnderTest.loaded();
    var source = PinnedSubAllocator.of(0);
    return sources.watch(source, source::close);
  }

  @Override
  public long scaled(long bytes) {
    return bytes / 8;
  }
}
