package dev.cairn.allocator.report;

import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.Owner;
import dev.cairn.allocator.Printable;
import java.io.IOException;
import java.util.Arrays;

/**
 * Writes a memory map as text: one line for each region and chunk in address order, then the number of chunks of each
 * size, then a summary. It streams the text, so that a million chunks need little memory. Stateless.
 *
 * <pre>
 *  region 0x10000000000 bytes=2097152 chunks=2
 *    0x10000000000 in-use bytes=256 asked=250 id=3 step=7 owner=conv1/conv1:0 f32[1,64]
 *    0x10000000100 free bytes=2096896 freed-at=0 after=conv1/conv1:0 f32[1,64] before=(end)
 * </pre>
 */
public final class MemoryMapText {
  private static final int NAME_CHARS = 200;

  private final MemoryMap map;
  private final Appendable out;
  private final StringBuilder line = new StringBuilder(256);
  /** Printable names of owners by number. */
  private final String[] names;

  private MemoryMapText(MemoryMap map, Appendable out) {
    this.map = map;
    this.out = out;
    names = new String[map.owners().size()];
  }

  /** Writes the map; each line ends with a line feed. */
  public static void write(MemoryMap map, Appendable out) throws IOException {
    MemoryMapText dump = new MemoryMapText(map, out);
    dump.head();
    for (MemoryMap.RegionEntry region : map.regions()) {
      dump.region(region);
    }
    dump.sizes(true);
    dump.sizes(false);
    out.append('\n').append(MapSummary.of(map).text()).append('\n');
  }

  private void head() throws IOException {
    line.append("memory dump of ").append(map.space()).append(" regions=").append(map.regions().size())
      .append(" chunks=").append(map.chunkCount()).append(" poolBytes=").append(map.stats().poolBytes())
      .append(" bytesInUse=").append(map.stats().bytesInUse()).append(" limitBytes=")
      .append(map.stats().limitBytes());
    endLine();
  }

  private void region(MemoryMap.RegionEntry region) throws IOException {
    endLine();
    line.append("region 0x").append(Long.toHexString(region.address())).append(" bytes=").append(region.bytes())
      .append(" chunks=").append(region.chunkCount());
    endLine();
    int end = region.firstChunk() + region.chunkCount();
    for (int chunk = region.firstChunk(); chunk < end; chunk++) {
      line.append("  0x").append(Long.toHexString(map.address(chunk)));
      if (map.isInUse(chunk)) {
        inUse(chunk);
      } else {
        free(chunk, region.firstChunk(), end);
      }
      endLine();
    }
  }

  private void inUse(int chunk) {
    line.append(" in-use bytes=").append(map.bytes(chunk)).append(" asked=").append(map.requestedBytes(chunk))
      .append(" id=").append(map.allocationId(chunk)).append(" step=").append(map.step(chunk)).append(" owner=")
      .append(holder(chunk));
  }

  /** A free chunk, and the blocks on both sides of it. */
  private void free(int chunk, int first, int end) {
    line.append(" free bytes=").append(map.bytes(chunk)).append(" freed-at=").append(map.freedAt(chunk)).append(map
      .stream(chunk) == 0 ? "" : " stream=" + map.stream(chunk))
      .append(" after=").append(chunk == first ? "(start)" : holder(chunk - 1)).append(" before=")
      .append(chunk + 1 == end ? "(end)" : holder(chunk + 1));
  }

  private String holder(int chunk) {
    return map.isInUse(chunk) ? name(map.ownerNumber(chunk)) : "(free)";
  }

  @SuppressWarnings("NullAway") // The array's elements are null until asked for.
  private String name(int owner) {
    if (names[owner] == null) {
      Owner it = map.owners().get(owner);
      names[owner] = Printable.of(it.toString(), NAME_CHARS);
    }
    return names[owner];
  }

  /** The number of chunks of each size, in use or free, smallest first. */
  private void sizes(boolean inUse) throws IOException {
    long[] sizes = new long[map.chunkCount()];
    int count = 0;
    for (int chunk = 0; chunk < sizes.length; chunk++) {
      if (map.isInUse(chunk) == inUse) {
        sizes[count++] = map.bytes(chunk);
      }
    }
    Arrays.sort(sizes, 0, count);
    endLine();
    line.append(inUse ? "in use: " : "free: ").append(count).append(" chunks");
    endLine();
    for (int first = 0; first < count;) {
      int next = first;
      while (next < count && sizes[next] == sizes[first]) {
        next++;
      }
      line.append("  ").append(next - first).append(" of ").append(sizes[first]).append(" B, ")
        .append(StatsText.bytes(sizes[first] * (next - first))).append(" together");
      endLine();
      first = next;
    }
  }

  private void endLine() throws IOException {
    out.append(line).append('\n');
    line.setLength(0);
  }
}
