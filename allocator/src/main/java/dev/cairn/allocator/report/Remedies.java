package dev.cairn.allocator.report;

import dev.cairn.allocator.Alignment;
import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.OutOfMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Chooses what would help a refused request, most certain first, from the facts of the failure. */
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
    switch (failure.reason()) {
      case LIMIT -> remedies.raiseLimit().smallerBatch(stats(failure).limitBytes()).trim().reserveAgainstSlack()
        .recompute();
      case FRAGMENTATION -> remedies.virtualMemory().oneRegion().raiseLimit().trim().reserveAgainstSplits()
        .askForLess();
      case SOURCE_REFUSED -> remedies.endOthers().smallerBatch(stats(failure).poolBytes()).trim().virtualMemory()
        .recompute();
      case TIME_HELD -> remedies.waitForStreams().raiseLimit().askForLess();
    }
    return List.copyOf(remedies.chosen);
  }

  private static AllocatorStats stats(OutOfMemory failure) {
    return failure.memoryMap().stats();
  }

  private Remedies raiseLimit() {
    long byBytes = Math.max(failure.bytesShort(), wantedBytes - unreservedBytes - freeRegionBytes);
    if (byBytes > 0 && byBytes <= Long.MAX_VALUE - stats.limitBytes()) {
      String least = failure.reason() == OutOfMemory.Reason.LIMIT && failure.bytesShort() < byBytes
        ? "; by %s if all free bytes adjoined".formatted(StatsText.bytes(failure.bytesShort()))
        : "";
      long toBytes = stats.limitBytes() + byBytes;
      add(Remedy.Kind.RAISE_LIMIT, byBytes, "raise the limit by %s, to %s (%d B)%s", StatsText.bytes(byBytes),
        StatsText.bytes(toBytes), toBytes, least);
    }
    return this;
  }

  /** Supposes that all bytes shrink with the batch, weights too, and so errs on the safe side of the request. */
  private Remedies smallerBatch(long availableBytes) {
    double part = availableBytes / ((double) stats.bytesInUse() + wantedBytes);
    if (part >= 0.01 && part < 1) {
      add(Remedy.Kind.ASK_FOR_LESS, availableBytes,
        "use a smaller batch: %s are held and %s asked for; %d %% of both together would fit",
        StatsText.bytes(stats.bytesInUse()), StatsText.bytes(wantedBytes), (int) (100 * part));
    }
    return this;
  }

  private Remedies askForLess() {
    long fits = Math.max(stats.largestFreeBytes(), unreservedBytes);
    if (fits > 0 && fits < wantedBytes) {
      add(Remedy.Kind.ASK_FOR_LESS, fits, "ask for less at a time, or use a smaller batch: %s can be had now",
        StatsText.bytes(fits));
    }
    return this;
  }

  private Remedies trim() {
    if (freeRegions > 0) {
      add(Remedy.Kind.TRIM, freeRegionBytes, "trim: %s wholly free and %s can go back",
        freeRegions == 1 ? "1 region is" : freeRegions + " regions are", StatsText.bytes(freeRegionBytes));
    }
    return this;
  }

  private Remedies virtualMemory() {
    long together = stats.freeBytes();
    if (map.regions().size() > 1 && together > stats.largestFreeBytes() && together + unreservedBytes >= wantedBytes) {
      add(Remedy.Kind.VIRTUAL_MEMORY, together,
        "grow in virtual memory, where regions adjoin and free pages move: %s are free in %d regions",
        StatsText.bytes(together), map.regions().size());
    }
    return this;
  }

  private Remedies oneRegion() {
    if (map.regions().size() > 1 && stats.limitBytes() < Long.MAX_VALUE) {
      add(Remedy.Kind.ONE_REGION, stats.limitBytes(),
        "take the whole limit in one region instead of growing: %s instead of %d regions",
        StatsText.bytes(stats.limitBytes()), map.regions().size());
    }
    return this;
  }

  private Remedies reserveAgainstSlack() {
    if (stats.slackBytes() > 0) {
      add(Remedy.Kind.RESERVE_WEIGHTS, stats.slackBytes(),
        "reserve the weights and whatever else stays: such blocks have no slack (%s now)",
        StatsText.bytes(stats.slackBytes()));
    }
    return this;
  }

  private Remedies reserveAgainstSplits() {
    long splitBytes = stats.freeBytes() - freeRegionBytes;
    if (splitBytes > 0) {
      add(Remedy.Kind.RESERVE_WEIGHTS, splitBytes,
        "reserve the weights and whatever else stays: %s are free between blocks", StatsText.bytes(splitBytes));
    }
    return this;
  }

  private Remedies endOthers() {
    add(Remedy.Kind.END_OTHERS, wantedBytes, "end other users of %s: it must have %s in one piece", map.space(),
      StatsText.bytes(wantedBytes));
    return this;
  }

  private Remedies waitForStreams() {
    long latest = AllocationRequest.ANY_TIME;
    for (int chunk = 0; chunk < map.chunkCount(); chunk++) {
      latest = Math.max(latest, map.freedAt(chunk));
    }
    add(Remedy.Kind.WAIT, stats.timeHeldBytes(),
      "wait for the streams: %s were freed at a time that matters, the last at %d; or demand no time",
      StatsText.bytes(stats.timeHeldBytes()), latest);
    return this;
  }

  private Remedies recompute() {
    add(Remedy.Kind.RECOMPUTE, 0, "recompute cheap results instead of keeping them");
    return this;
  }

  @SuppressWarnings("AnnotateFormatMethod") // called in this class only
  private void add(Remedy.Kind kind, long bytes, String sentence, Object... values) {
    chosen.add(new Remedy(kind, bytes, String.format(Locale.ROOT, sentence, values)));
  }
}
