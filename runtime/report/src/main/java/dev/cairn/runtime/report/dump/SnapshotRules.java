package dev.cairn.runtime.report.dump;

import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.Gauge;
import dev.cairn.allocator.StreamTime;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import tools.jackson.core.JsonParser;

/** The rules of a dump that is read, so that its users may rely on a map's own rules. */
final class SnapshotRules {
  private final JsonParser json;
  private long end;
  private long regionEnd;

  SnapshotRules(JsonParser json) {
    this.json = json;
  }

  /** Regions come in the order of their addresses, and apart. */
  void region(long address, long bytes) throws InvalidDump {
    require(address >= end && bytes > 0 && bytes <= Long.MAX_VALUE - address,
      "regions overlap, or are out of order: address=%d bytes=%d", address, bytes);
    end = address;
    regionEnd = address + bytes;
  }

  /** Chunks cover their region without gaps. */
  void chunk(ChunkJson chunk, int owners) throws InvalidDump {
    require(chunk.address == end && chunk.bytes > 0 && chunk.bytes <= regionEnd - end,
      "chunks do not cover their region: address=%d bytes=%d expectedAddress=%d", chunk.address, chunk.bytes, end);
    if (chunk.isInUse()) {
      require(chunk.allocationId >= 0 && chunk.requestedBytes >= 0 && chunk.requestedBytes <= chunk.bytes,
        "block is not possible: address=%d allocationId=%d requestedBytes=%d", chunk.address, chunk.allocationId,
        chunk.requestedBytes);
      require(chunk.owner >= 0 && chunk.owner < owners && chunk.step == (int) chunk.step,
        "no such owner or step: address=%d owner=%d owners=%d step=%d", chunk.address, chunk.owner, owners,
        chunk.step);
    } else {
      require(chunk.state.equals("free") && chunk.freedAt >= 0 && chunk.freedAt <= StreamTime.MAXIMUM_TIME
        && chunk.stream >= 0 && chunk.stream <= StreamTime.MAXIMUM_STREAM,
        "chunk is neither in use nor free: address=%d freedAt=%d", chunk.address, chunk.freedAt);
    }
    end += chunk.bytes;
  }

  /** The last chunk ends where the region does. */
  void endRegion() throws InvalidDump {
    require(end == regionEnd, "chunks do not cover their region: endAddress=%d expectedAddress=%d", end, regionEnd);
  }

  /** Figures are not negative, and a part is not more than its whole. */
  AllocatorStats checked(AllocatorStats stats) throws InvalidDump {
    List<Gauge> gauges = Stream.concat(
      Stream.of(stats.all(), stats.small(), stats.large()).flatMap(it -> Stream.of(it.count(), it.bytes(), it
        .requestedBytes())),
      Stream.of(stats.pool(), stats.regions(), stats.freeSplits(), stats.freeSplitBytes(), stats.bypass())).toList();
    boolean possible = gauges.stream().allMatch(it -> it.current() >= 0 && it.peak() >= it.current() && it.total() >= 0)
      && stats.bytesInUse() <= stats.poolBytes() && stats.requestedBytesInUse() <= stats.bytesInUse()
      && stats.poolBytes() <= stats.limitBytes() && stats.largestBytes() >= 0 && stats.largestFreeBytes() >= 0
      && stats.largestFreeBytes() <= stats.freeBytes() && stats.timeHeldBytes() >= 0
      && stats.timeHeldBytes() <= stats.freeBytes() && stats.refusalCount() >= 0 && stats.reserveCount() >= 0
      && stats.movedBytes() >= 0;
    require(possible, "figures are not possible: %s", stats);
    return stats;
  }

  @SuppressWarnings("AnnotateFormatMethod") // a rule without values is taken as it is
  InvalidDump broken(String rule, Object... values) {
    return new InvalidDump("not a memory dump of Cairn, or damaged: %s: line=%d column=%d".formatted(
      values.length == 0 ? rule : String.format(Locale.ROOT, rule, values), json.currentLocation().getLineNr(),
      json.currentLocation().getColumnNr()));
  }

  private void require(boolean kept, String rule, Object... values) throws InvalidDump {
    if (!kept) {
      throw broken(rule, values);
    }
  }
}
