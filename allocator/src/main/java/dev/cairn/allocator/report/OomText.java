package dev.cairn.allocator.report;

import dev.cairn.allocator.Alignment;
import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.PoolEvent;
import dev.cairn.allocator.Printable;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** An {@link OomReport} in words, part by part. */
final class OomText {
  private static final int BLOCKS_NAMED = 4;
  private static final int CIRCUMSTANCES_NAMED = 4;
  private static final int EVENTS_NAMED = 6;

  private final OomReport report;
  private final OutOfMemory failure;
  private final MemoryMap map;
  private final AllocatorStats stats;
  private final Lines lines = new Lines();

  private OomText(OomReport report) {
    this.report = report;
    failure = report.failure();
    map = failure.memoryMap();
    stats = map.stats();
  }

  static String of(OomReport report) {
    OomText text = new OomText(report);
    text.what();
    text.why();
    text.lines.gap().addAll(report.summary().ownerLines());
    text.release();
    text.remedies();
    text.lastEvents();
    text.lines.gap().addAll(report.summary().poolLines());
    report.dump().ifPresent(file -> text.lines.gap().add("every chunk is in %s", file));
    return text.lines.toString();
  }

  private void what() {
    AllocationRequest request = failure.request();
    lines.add("out of memory: the allocator of %s has no %s for %s", map.space(),
      StatsText.bytes(failure.requestedBytes()), Printable.of(request.owner().toString(), 54));
    lines.add("  asked for %d B, needs a chunk of %d B%s%s", failure.requestedBytes(), failure.roundedBytes(),
      request.alignmentBytes() > Alignment.CHUNK_BYTES ? ", aligned to %d B".formatted(request.alignmentBytes()) : "",
      request.freedBefore() == AllocationRequest.ANY_TIME ? "" : ", free since time " + request.freedBefore());
  }

  private void why() {
    lines.gap().add("why: %s: %s; %s short (%d B)", failure.reason().word(), cause(),
      StatsText.bytes(failure.bytesShort()), failure.bytesShort());
    lines.add("  %s in use in %s, %s free, largest free chunk %s", StatsText.bytes(stats.bytesInUse()),
      counted(stats.liveCount(), "block"), StatsText.bytes(stats.freeBytes()),
      StatsText.bytes(stats.largestFreeBytes()));
    lines.add("  pool %s in %s, %s", StatsText.bytes(stats.poolBytes()), counted(map.regions().size(), "region"),
      stats.limitBytes() == Long.MAX_VALUE
        ? "no limit"
        : "limit %s (%d B)".formatted(StatsText.bytes(stats.limitBytes()), stats.limitBytes()));
    failure.circumstances().stream().limit(CIRCUMSTANCES_NAMED).forEach(fact -> lines.add("  " + fact));
    int more = failure.circumstances().size() - CIRCUMSTANCES_NAMED;
    if (more > 0) {
      lines.add("  and %d more circumstances", more);
    }
  }

  private String cause() {
    return switch (failure.reason()) {
      case LIMIT -> "all free bytes and the rest of the limit are too few";
      case FRAGMENTATION -> "%s are free, but not in one piece".formatted(StatsText.bytes(stats.freeBytes()));
      case SOURCE_REFUSED -> "the limit allows more, but %s has none".formatted(map.space());
      case TIME_HELD -> "streams may still use %s of the free bytes".formatted(StatsText.bytes(stats.timeHeldBytes()));
    };
  }

  private void release() {
    lines.gap();
    Optional<ReleasingSet> found = report.releasingSet();
    if (found.isEmpty()) {
      lines.add(failure.reason() == OutOfMemory.Reason.SOURCE_REFUSED
        ? "no release is certain to be enough: the request is larger than the whole pool"
        : "no release would be enough: the request needs more than the limit");
      return;
    }
    ReleasingSet set = found.get();
    lines.add("smallest release: %s; %s", set.blockCount() == 0
      ? "none is needed"
      : "%s of %s".formatted(StatsText.bytes(set.bytes()), counted(set.blockCount(), "block")), room(set));
    if (set.waits()) {
      lines.add("  once the streams that may still use it have finished");
    }
    if (set.blockCount() > 0 && set.blockCount() <= BLOCKS_NAMED) {
      set.blocks().forEach(block -> lines.add("  id %d, %s, %s%s", block.allocationId(), StatsText.bytes(block.bytes()),
        Printable.of(block.owner().toString(), 50), block.step() == 0 ? "" : ", since step " + block.step()));
      return;
    }
    for (OwnerShare share : set.largestOwners().subList(0, Math.min(BLOCKS_NAMED, set.largestOwners().size()))) {
      lines.add("  %s, %s of %s", counted(share.blocks(), "block"), StatsText.bytes(share.bytes()),
        Printable.of(share.owner().toString(), 60));
    }
    if (set.ownerCount() > BLOCKS_NAMED) {
      lines.add("  and the blocks of %s", counted(set.ownerCount() - BLOCKS_NAMED, "more owner"));
    }
  }

  private static String room(ReleasingSet set) {
    return switch (set.way()) {
      case WINDOW -> "%s at 0x%x are one piece then".formatted(StatsText.bytes(set.roomBytes()), set.address());
      case REGIONS -> "%s (%s) can go back, and the pool can grow".formatted(
        counted(set.regionCount(), "region"), StatsText.bytes(set.roomBytes()));
    };
  }

  private void lastEvents() {
    List<PoolEvent> events = failure.lastEvents();
    if (events.isEmpty()) {
      return;
    }
    List<PoolEvent> named = events.subList(Math.max(0, events.size() - EVENTS_NAMED), events.size());
    lines.gap().add("last events, newest last");
    for (PoolEvent event : named) {
      boolean ofRegion = event.allocationId() == PoolEvent.NO_GRANT;
      lines.add("  %-6s %10s at 0x%x%s", event.kind().name().toLowerCase(Locale.ROOT), StatsText.bytes(event.bytes()),
        event.address(), ofRegion ? "" : ", id " + event.allocationId() + owner(event));
    }
  }

  private static String owner(PoolEvent event) {
    return event.owner().isNone() ? "" : ", " + Printable.of(event.owner().toString(), 40);
  }

  private static String counted(long count, String thing) {
    return count == 1 ? "1 " + thing : count + " " + thing + "s";
  }

  private void remedies() {
    if (!report.remedies().isEmpty()) {
      lines.gap().add("what would help");
      report.remedies().forEach(it -> wrapped("- " + it.sentence()));
    }
  }

  /** A sentence on as many lines as it takes; those after the first are indented. */
  private void wrapped(String sentence) {
    String rest = sentence;
    while (rest.length() > Lines.WIDTH) {
      int end = rest.lastIndexOf(' ', Lines.WIDTH);
      if (end <= 2) {
        break;
      }
      lines.add("%s", rest.substring(0, end));
      rest = "  " + rest.substring(end + 1);
    }
    lines.add("%s", rest);
  }
}
