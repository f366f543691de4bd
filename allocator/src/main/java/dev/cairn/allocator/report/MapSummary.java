package dev.cairn.allocator.report;

import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.Printable;
import java.util.List;

/**
 * A one-screen summary of a memory map: the largest owners, an occupancy strip, and chunks by size. A value.
 *
 * @param map the memory map
 * @param largestOwners the largest owners, largest first, at most {@link #OWNERS}
 * @param ownerCount how many owners have blocks
 * @param bins one row for each size class
 * @param strip the pool as {@link OccupancyStrip#COLUMNS} characters; empty for an empty pool
 */
public record MapSummary(MemoryMap map, List<OwnerShare> largestOwners, int ownerCount, List<BinRow> bins,
  String strip) {
  /** How many owners the summary names. */
  public static final int OWNERS = 6;

  /** Copies the lists. */
  public MapSummary {
    largestOwners = List.copyOf(largestOwners);
    bins = List.copyOf(bins);
  }

  /** Takes time in proportion to the number of chunks; creates no object for each. */
  public static MapSummary of(MemoryMap map) {
    OwnerTally owners = OwnerTally.of(map);
    return new MapSummary(map, owners.largest(OWNERS), owners.count(), BinRow.of(map), OccupancyStrip.of(map));
  }

  /** Statistics, owners, strip and bins, without a trailing newline. */
  public String text() {
    Lines lines = new Lines().add("memory of %s", map.space());
    StatsText.of(map.stats()).lines().forEach(line -> lines.add("  " + line));
    return lines.gap().addAll(ownerLines()).gap().addAll(poolLines()).toString();
  }

  /** A table of the largest owners. */
  List<String> ownerLines() {
    if (ownerCount == 0) {
      return List.of("no blocks in use");
    }
    Lines lines = new Lines().add("%-56s%12s%9s  since", ownerCount == 1
      ? "held by 1 owner"
      : "held by %d owners, largest first".formatted(ownerCount), "bytes", "blocks");
    long others = bins.stream().mapToLong(BinRow::bytesInUse).sum();
    for (OwnerShare share : largestOwners) {
      lines.add("  %-54s%12s%9d  %s", Printable.of(share.owner().toString(), 53), StatsText.bytes(share.bytes()),
        share.blocks(), share.since());
      others -= share.bytes();
    }
    if (ownerCount > largestOwners.size()) {
      lines.add("  %-54s%12s", "%d more".formatted(ownerCount - largestOwners.size()),
        StatsText.bytes(others));
    }
    return lines.all();
  }

  /** The strip with its key, and the table of bins. */
  List<String> poolLines() {
    if (strip.isEmpty()) {
      return List.of("the pool is empty");
    }
    long part = map.stats().poolBytes() / strip.length();
    return new Lines().add("pool, %s a character: * in use by request, x slack, _ free", StatsText.bytes(part))
      .add(strip).gap().addAll(BinRow.table(bins)).all();
  }

  @Override
  public String toString() {
    return text();
  }
}
