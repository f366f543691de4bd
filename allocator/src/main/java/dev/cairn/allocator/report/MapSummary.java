package dev.cairn.allocator.report;

import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.Printable;
import java.util.List;

/**
 * A memory map in one screen: who holds most of it, how full it is where, and chunks by size. A value.
 *
 * @param map what is summed up
 * @param largestOwners who holds most, largest first, {@link #OWNERS} at most
 * @param ownerCount how many hold something
 * @param bins one row for each size class
 * @param strip the pool as {@link OccupancyStrip#COLUMNS} characters; empty for an empty pool
 */
public record MapSummary(MemoryMap map, List<OwnerShare> largestOwners, int ownerCount, List<BinRow> bins,
  String strip) {
  /** How many owners are named. */
  public static final int OWNERS = 6;

  /** Copies the lists. */
  public MapSummary {
    largestOwners = List.copyOf(largestOwners);
    bins = List.copyOf(bins);
  }

  /** Takes time in proportion to the chunks; makes no object for each. */
  public static MapSummary of(MemoryMap map) {
    OwnerTally owners = OwnerTally.of(map);
    return new MapSummary(map, owners.largest(OWNERS), owners.count(), BinRow.of(map), OccupancyStrip.of(map));
  }

  /** Figures, owners, strip and bins, without a line end after the last. */
  public String text() {
    Lines lines = new Lines().add("memory of %s", map.space());
    StatsText.of(map.stats()).lines().forEach(line -> lines.add("  " + line));
    return lines.gap().addAll(ownerLines()).gap().addAll(poolLines()).toString();
  }

  /** Who holds most; a table. */
  List<String> ownerLines() {
    if (ownerCount == 0) {
      return List.of("held by nobody");
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
