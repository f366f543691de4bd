package dev.cairn.gpu;

import dev.cairn.allocator.MemorySpace;
import dev.cairn.allocator.source.Region;
import dev.cairn.allocator.source.SubAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Sources whose regions and contexts are given back after each test, since suites hold on to what they take. */
public final class TrackedSources implements AfterEachCallback {
  private final List<Tracked> all = new ArrayList<>();

  /** The same source, watched; {@code close} ends it. */
  public SubAllocator watch(SubAllocator source, Runnable close) {
    var tracked = new Tracked(source, close);
    all.add(tracked);
    return tracked;
  }

  @Override
  public void afterEach(ExtensionContext context) {
    for (Tracked source : all) {
      source.end();
    }
    all.clear();
  }

  private static final class Tracked implements SubAllocator {
    private final SubAllocator source;
    private final Runnable close;
    private final Set<Region> regions = ConcurrentHashMap.newKeySet();

    Tracked(SubAllocator source, Runnable close) {
      this.source = source;
      this.close = close;
    }

    @Override
    public MemorySpace space() {
      return source.space();
    }

    @Override
    public long granularityBytes() {
      return source.granularityBytes();
    }

    @Override
    public long maximumRegionBytes() {
      return source.maximumRegionBytes();
    }

    @Override
    public boolean supportsCoalescing() {
      return source.supportsCoalescing();
    }

    @Override
    public @Nullable Region allocate(long bytes) {
      Region region = source.allocate(bytes);
      if (region != null) {
        regions.add(region);
      }
      return region;
    }

    @Override
    public void release(Region region) {
      source.release(region);
      regions.remove(region);
    }

    void end() {
      regions.forEach(source::release);
      close.run();
    }
  }
}
