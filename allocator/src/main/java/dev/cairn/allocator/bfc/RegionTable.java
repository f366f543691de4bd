package dev.cairn.allocator.bfc;

import dev.cairn.allocator.source.Region;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The regions of the pool in address order, each with the two ends of its chain of chunks. Regions of the source that
 * adjoin, where that is supported, are one region here with several parts. Not safe for many threads.
 */
final class RegionTable {
  /** One range that chunks cover; its parts are returned to the source. */
  static final class Row {
    final long address;
    private final ArrayList<Region> parts = new ArrayList<>();
    private long endAddress;
    int firstChunk;
    int lastChunk;
    /** The operation after which nothing in it was held any more. */
    long idleSince;

    private Row(long address) {
      this.address = address;
      this.endAddress = address;
    }

    /** A row of one part, for which there is no chunk yet. */
    Row(Region part) {
      this(part.address());
      add(part);
    }

    /** A row as it was. */
    static Row of(List<Region> parts, int firstChunk, int lastChunk, long idleSince) {
      Row row = new Row(parts.getFirst());
      parts.subList(1, parts.size()).forEach(row::add);
      row.firstChunk = firstChunk;
      row.lastChunk = lastChunk;
      row.idleSince = idleSince;
      return row;
    }

    /** The regions of the source in address order, to be read only. */
    List<Region> parts() {
      return parts;
    }

    /** Adds a part that begins where this row ends. */
    void add(Region part) {
      parts.add(part);
      endAddress = part.endAddress();
    }

    /** Takes out the part of this index and all above it. */
    void removeFrom(int index) {
      List<Region> removed = parts.subList(index, parts.size());
      endAddress = removed.getFirst().address();
      removed.clear();
    }

    long endAddress() {
      return endAddress;
    }

    private boolean holds(long byteAddress) {
      return byteAddress >= address && byteAddress < endAddress;
    }

    long bytes() {
      return endAddress() - address;
    }
  }

  private static final Row NOWHERE = new Row(0);

  private final ArrayList<Row> rows = new ArrayList<>();
  // The next request mostly asks for the same region, since many pools have only one.
  private Row lastFound = NOWHERE;

  List<Row> rows() {
    return rows;
  }

  /** Makes sure that {@code count} rows in all need no memory of the heap's. */
  void ensureRoom(int count) {
    rows.ensureCapacity(count);
  }

  /** Adds a row. Nothing has changed when it throws, which it doesn't if there is room. */
  void insert(Row row) {
    rows.add(firstAfter(row.address), row);
  }

  /** Removes an empty row. */
  void remove(Row row) {
    lastFound = NOWHERE;
    rows.remove(row);
  }

  /** Whether a region has bytes in common with one that is here. */
  boolean overlaps(Region region) {
    int after = firstAfter(region.address());
    return (after > 0 && rows.get(after - 1).endAddress() > region.address())
      || (after < rows.size() && rows.get(after).address < region.endAddress());
  }

  /** The row that ends where {@code address} begins, if there is one. */
  @Nullable
  Row endingAt(long address) {
    int after = firstAfter(address);
    return after > 0 && rows.get(after - 1).endAddress() == address ? rows.get(after - 1) : null;
  }

  /** The row that holds {@code address}, if there is one. */
  @Nullable
  Row find(long address) {
    int after = firstAfter(address);
    return after > 0 && rows.get(after - 1).endAddress() > address ? rows.get(after - 1) : null;
  }

  /** The row that holds {@code address}, which some row does. */
  Row holding(long address) {
    Row row = lastFound;
    return row.holds(address) ? row : findHolding(address);
  }

  private Row findHolding(long address) {
    Row row = find(address);
    if (row == null) {
      throw new AssertionError("no region holds address=0x%x".formatted(address));
    }
    lastFound = row;
    return row;
  }

  /** Index of the first row that begins above {@code address}. */
  private int firstAfter(long address) {
    int low = 0;
    int high = rows.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (rows.get(middle).address <= address) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
