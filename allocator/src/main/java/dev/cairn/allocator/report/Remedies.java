package dev.cairn.allocator.report;

import dev.cairn.allocator.Alignment;
import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.OutOfMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Chooses remedies for a failed request from the facts of the failure. A test follows each remedy and checks that it
 * works.
 */
final class Remedies {
  private final OutOfMemory failure;
  private final MemoryMap map;
  private final AllocatorStats stats;
  private final long wantedBytes;
  private final long unreservedBytes;
  private final List<Remedy> chosen = new ArrayList<>();
  private int freeRegions;
  private long freeRegionBytes;

  private Remedies(OutOfMemory failure) {
    this.failure = failure;
    map = failure.memoryMap();
    stats = map.stats();
    wantedBytes = Math.max(failure.requestedBytes(), failure.roundedBytes());
    unreservedBytes = Alignment.down(Math.max(0, stats.unreservedBytes()), Alignment.CHUNK_BYTES);
    for (MemoryMap.RegionEntry region : map.regions()) {
      if (region.chunkCount() == 1 && !map.isInUse(region.firstChunk())) {
        freeRegions++;
        freeRegionBytes += region.bytes();
      }
    }
  }

  static List<Remedy> of(OutOfMemory failure) {
    Remedies remedies = new Remedies(failure);
    if (failure.budget().isPresent()) {
      return List.copyOf(remedies.raiseBudget(failure.budget().get()).chosen);
    }
    switch (failure.reason()) {
      case LIMIT -> remedies.raiseLimit();
      case FRAGMENTATION -> remedies.trimToGrow().virtualMemory().oneRegion().raiseLimit().askForLess();
      case SOURCE_REFUSED -> remedies.endOthers().trim();
      case TIME_HELD -> remedies.waitForStreams().raiseLimit().askForLess();
    }
    failure.ways().forEach(remedies::otherWay);
    return List.copyOf(remedies.chosen);
  }

  private void otherWay(OutOfMemory.Way way) {
    String bytes = StatsText.bytes(way.limitBytes());
    chosen.add(new Remedy(Remedy.Kind.OTHER_WAY, way.limitBytes(), way.option().isEmpty()
      ? "raise the limit to %s (%d B), with which %s".formatted(bytes, way.limitBytes(), way.outcome())
      : "use %s, which needs %s: %s".formatted(way.option(), bytes, way.outcome())));
  }

  /** Raises the limit to the need of all related requests, if known; otherwise by the need of this request alone. */
  private Remedies raiseLimit() {
    long byBytes = failure.leastLimitBytes().orElse(0) > 0
      ? failure.leastLimitBytes().getAsLong() - stats.limitBytes()
      : wantedBytes - unreservedBytes;
    if (byBytes > 0 && byBytes <= Long.MAX_VALUE - stats.limitBytes()) {
      long toBytes = stats.limitBytes() + byBytes;
      add(Remedy.Kind.RAISE_LIMIT, byBytes, "raise the limit by %s, to %s (%d B)", StatsText.bytes(byBytes),
        StatsText.bytes(toBytes), toBytes);
    }
    return this;
  }

  private Remedies raiseBudget(OutOfMemory.Budget budget) {
    long byBytes = budget.leastLimitBytes() - budget.limitBytes();
    add(Remedy.Kind.RAISE_BUDGET, byBytes,
      "raise the limit of %s by %s, to %s (%d B), or close other sessions or their results",
      budget.name(), StatsText.bytes(byBytes), StatsText.bytes(budget.leastLimitBytes()), budget.leastLimitBytes());
    return this;
  }

  private Remedies askForLess() {
    long fits = Math.max(stats.largestFreeBytes(), unreservedBytes);
    if (fits > 0 && fits < wantedBytes) {
      add(Remedy.Kind.ASK_FOR_LESS, fits, "request less at once: %s is available now",
        StatsText.bytes(fits));
    }
    return this;
  }

  /** Trims if the limit then allows a region for the request. */
  private Remedies trimToGrow() {
    return unreservedBytes + freeRegionBytes >= wantedBytes ? trim() : this;
  }

  private Remedies trim() {
    if (freeRegions > 0) {
      add(Remedy.Kind.TRIM, freeRegionBytes, "trim: %s free, and %s can go back to the source",
        freeRegions == 1 ? "1 region is" : freeRegions + " regions are", StatsText.bytes(freeRegionBytes));
    }
    return this;
  }

  private Remedies virtualMemory() {
    long together = stats.freeBytes();
    if (map.regions().size() > 1 && together > stats.largestFreeBytes() && together + unreservedBytes >= wantedBytes) {
      add(Remedy.Kind.VIRTUAL_MEMORY, together,
        "use --memory-growth virtual (MemoryGrowth.VIRTUAL, GPU only): joins %s free in %d regions",
        StatsText.bytes(together), map.regions().size());
    }
    return this;
  }

  private Remedies oneRegion() {
    if (map.regions().size() > 1 && stats.limitBytes() < Long.MAX_VALUE) {
      add(Remedy.Kind.ONE_REGION, stats.limitBytes(),
        "use --memory-growth whole (MemoryGrowth.WHOLE): one region of %s instead of %d regions",
        StatsText.bytes(stats.limitBytes()), map.regions().size());
    }
    return this;
  }

  private Remedies endOthers() {
    add(Remedy.Kind.END_OTHERS, wantedBytes, "end other programs that use %s: it must have %s in one piece",
      map.space(), StatsText.bytes(wantedBytes));
    return this;
  }

  private Remedies waitForStreams() {
    long latest = AllocationRequest.ANY_TIME;
    for (int chunk = 0; chunk < map.chunkCount(); chunk++) {
      latest = Math.max(latest, map.freedAt(chunk));
    }
    add(Remedy.Kind.WAIT, stats.timeHeldBytes(),
      "wait for streams that use %s of freed memory, until time %d; or allow any free time",
      StatsText.bytes(stats.timeHeldBytes()), latest);
    return this;
  }

  @SuppressWarnings("AnnotateFormatMethod") // called in this class only
  private void add(Remedy.Kind kind, long bytes, String sentence, Object... values) {
    chosen.add(new Remedy(kind, bytes, String.format(Locale.ROOT, sentence, values)));
  }
}
