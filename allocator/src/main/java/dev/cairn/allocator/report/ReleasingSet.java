package dev.cairn.allocator.report;

import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.OutOfMemory;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Blocks of a pool whose release would let a refused request be met. A value.
 *
 * <p>Two ways are looked at. {@link Way#WINDOW}: neighbouring chunks of one region that become one free chunk; of all
 * windows the one with the fewest bytes in use, then with the fewest blocks, then the lowest, is found exactly.
 * {@link Way#REGIONS}: whole regions that go back to their source, so that the pool may take one of the request's size;
 * which ones is a knapsack, and the answer is good but not always the least. The way that needs fewer bytes is taken.
 */
public final class ReleasingSet {
  /** How the request is met once the blocks are released. */
  public enum Way {
    /** The freed chunks and the free ones between them become one. */
    WINDOW,
    /** The emptied regions go back to their source, by a trim or before the pool grows, and the pool grows. */
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
   * @param blocks the chunks to be released, in address order
   * @param ranges the first and the last chunk of what becomes free: of the window, or of each region
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

  /** The cheapest set; empty when not even the release of everything would be enough. */
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

  /** How the request is met then. */
  public Way way() {
    return way;
  }

  /** How many blocks there are; 0 when the room is there, but may not be used yet. */
  public int blockCount() {
    return blocks.length;
  }

  /** Bytes of the blocks. */
  public long bytes() {
    return bytes;
  }

  /** The blocks, in address order. */
  public Stream<MemoryMap.ChunkEntry> blocks() {
    return IntStream.of(blocks).mapToObj(map::chunk);
  }

  /** Whose blocks they are: those with most bytes, largest first, {@link MapSummary#OWNERS} at most. */
  public List<OwnerShare> largestOwners() {
    return owners;
  }

  /** How many owners the blocks have. */
  public int ownerCount() {
    return ownerCount;
  }

  /** Whether a time must pass as well, because the request demands memory that is free since then. */
  public boolean waits() {
    return waits;
  }

  /** How many regions are emptied; 1 for a window, which lies in one. */
  public int regionCount() {
    return ranges.length / 2;
  }

  /** First address of the room that the release makes; of the first region where there are several. */
  public long address() {
    return map.address(ranges[0]);
  }

  /** Bytes of the room that the release makes, what is free already included. */
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
