package dev.cairn.allocator.report;

import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.OutOfMemory;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Blocks whose release would let a failed request succeed. A value.
 *
 * <p>There are two ways; the result is the one that releases fewer bytes. {@link Way#WINDOW}: neighbouring chunks of
 * one region become one free chunk. This way is exact: it finds the window with the fewest bytes in use, then the
 * fewest blocks, then the lowest address. {@link Way#REGIONS}: whole regions go back to their source, so that the pool
 * can take a region of the request's size. Choosing them is a knapsack problem, and the answer is good but not always
 * the smallest.
 */
public final class ReleasingSet {
  /** How the request succeeds once the blocks are released. */
  public enum Way {
    /** The freed chunks merge with the free chunks between them. */
    WINDOW,
    /** The emptied regions go back to their source, and the pool grows. */
    REGIONS
  }

  private final MemoryMap map;
  private final Way way;
  private final int[] blocks;
  private final int[] ranges;
  private final boolean waits;
  private final long bytes;
  private final List<OwnerShare> owners;
  private final int ownerCount;

  /**
   * @param blocks the chunks to release, in address order
   * @param ranges the first and the last chunk of the window, or of each region
   */
  ReleasingSet(MemoryMap map, Way way, int[] blocks, int[] ranges, boolean waits) {
    this.map = map;
    this.way = way;
    this.blocks = blocks;
    this.ranges = ranges;
    this.waits = waits;
    OwnerTally tally = OwnerTally.of(map, blocks);
    long sum = 0;
    for (int block : blocks) {
      sum += map.bytes(block);
    }
    this.bytes = sum;
    this.owners = tally.largest(MapSummary.OWNERS);
    this.ownerCount = tally.count();
  }

  /** The cheapest set; empty if even releasing all blocks would not be enough. */
  public static Optional<ReleasingSet> of(OutOfMemory failure) {
    WindowSearch window = new WindowSearch(failure);
    RegionSearch regions = new RegionSearch(failure);
    boolean byWindow = window.isFound();
    if (regions.isFound() && (!byWindow || regions.bytesInUse() < window.bytesInUse()
      || (regions.bytesInUse() == window.bytesInUse() && regions.blocks() < window.blocks()))) {
      return Optional.of(regions.set());
    }
    return byWindow ? Optional.of(window.set()) : Optional.empty();
  }

  /** How the request succeeds. */
  public Way way() {
    return way;
  }

  /** How many blocks to release; 0 if enough memory is free but still time-held. */
  public int blockCount() {
    return blocks.length;
  }

  /** Bytes of these blocks. */
  public long bytes() {
    return bytes;
  }

  /** These blocks, in address order. */
  public Stream<MemoryMap.ChunkEntry> blocks() {
    return IntStream.of(blocks).mapToObj(map::chunk);
  }

  /** The largest owners of these blocks, largest first, at most {@link MapSummary#OWNERS}. */
  public List<OwnerShare> largestOwners() {
    return owners;
  }

  /** How many owners these blocks have. */
  public int ownerCount() {
    return ownerCount;
  }

  /** Whether the request must also wait for time-held memory. */
  public boolean waits() {
    return waits;
  }

  /** How many regions become empty; 1 for a window. */
  public int regionCount() {
    return ranges.length / 2;
  }

  /** First address of the freed range, or of the first freed region. */
  public long address() {
    return map.address(ranges[0]);
  }

  /** Bytes of the freed range or regions, including bytes that are already free. */
  public long roomBytes() {
    long sum = 0;
    for (int range = 0; range < ranges.length; range += 2) {
      sum += map.address(ranges[range + 1]) + map.bytes(ranges[range + 1]) - map.address(ranges[range]);
    }
    return sum;
  }

  @Override
  public String toString() {
    return "releasing set way=%s blocks=%d bytes=%d regions=%d roomBytes=%d waits=%s".formatted(way, blocks.length,
      bytes, regionCount(), roomBytes(), waits);
  }
}
