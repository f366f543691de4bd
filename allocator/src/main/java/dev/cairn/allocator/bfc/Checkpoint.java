package dev.cairn.allocator.bfc;

import dev.cairn.allocator.source.Region;
import java.util.ArrayList;
import java.util.List;

/**
 * What an allocator held at one moment, so that it can be made so again: a recorded graph of kernels finds its memory
 * where it was, however often it is replayed. It costs some 40 KB for the bins of free chunks, a reference for each
 * page of chunks, and a copy of each page that is written to later. Made and used by {@link PrivatePool}; opaque, and
 * closed by whoever asked for it.
 */
public final class Checkpoint implements AutoCloseable {
  /** One region as it was. */
  record Place(List<Region> parts, int firstChunk, int lastChunk, long idleSince) {
    Place {
      parts = List.copyOf(parts);
    }
  }

  final PrivatePool of;
  final ChunkTable chunks;
  final FreeBins bins;
  final TimedFrees timed;
  final List<Place> places = new ArrayList<>();
  final Usage.Held held;
  private boolean closed;

  /** The state of {@code heap} now; the caller holds the lock of the pool {@code of}. */
  Checkpoint(PrivatePool of, BfcHeap heap) {
    this.of = of;
    for (RegionTable.Row row : heap.regions.rows()) {
      places.add(new Place(row.parts(), row.firstChunk, row.lastChunk, row.idleSince));
    }
    timed = heap.timed.copy();
    held = heap.usage.held();
    bins = new FreeBins();
    bins.copyFrom(heap.bins);
    chunks = heap.chunks.freeze();
  }

  /**
   * Makes the heap what it was; the caller holds the lock. Regions that were added since stay, with nothing in them.
   *
   * @throws IllegalStateException when a region was given back since, or the Java heap had no room for a copy of what
   *     was; nothing is changed then, nor when this itself finds the Java heap full
   */
  void restore(BfcHeap heap) {
    if (closed || heap.chunks.isTorn(chunks)) {
      throw new IllegalStateException("checkpoint can't be restored: closed=%b torn=%b".formatted(closed,
        heap.chunks.isTorn(chunks)));
    }
    // All memory of the Java heap's that this takes is taken before anything is changed.
    List<RegionTable.Row> added = new ArrayList<>();
    for (Region region : addedSince(heap)) {
      added.add(new RegionTable.Row(region));
    }
    List<RegionTable.Row> rows = new ArrayList<>();
    for (Place place : places) {
      rows.add(RegionTable.Row.of(place.parts, place.firstChunk, place.lastChunk, place.idleSince));
    }
    rows.forEach(row -> row.ensureRoom(added.size()));
    added.forEach(row -> row.ensureRoom(added.size()));
    TimedFrees awaited = timed.copy();
    heap.regions.ensureRoom(rows.size() + added.size());
    heap.chunks.ensureRoomAfter(chunks, added.size());
    heap.chunks.restore(chunks);
    heap.bins.copyFrom(bins);
    heap.timed.become(awaited);
    heap.regions.replaceAll(rows);
    heap.usage.hold(held);
    heap.keeper.adoptAgain(added);
  }

  /** The regions that the heap has now and had not then. */
  private List<Region> addedSince(BfcHeap heap) {
    List<Region> added = new ArrayList<>();
    for (RegionTable.Row row : heap.regions.rows()) {
      added.addAll(row.parts());
    }
    for (Place place : places) {
      for (Region part : place.parts) {
        // By identity: a region of the same range may be another one.
        if (!added.removeIf(region -> region == part)) {
          throw new IllegalStateException("checkpoint can't be restored, a region was given back since: " + part);
        }
      }
    }
    return added;
  }

  /** Lets go of what was kept; it can't be restored any more. Blocks that are held stay held. */
  @Override
  public void close() {
    of.forget(this);
  }

  /** Notes that it is closed; the caller holds the lock. */
  void end(BfcHeap heap) {
    if (closed) {
      throw new IllegalStateException("checkpoint is closed");
    }
    closed = true;
    heap.chunks.thaw();
  }
}
