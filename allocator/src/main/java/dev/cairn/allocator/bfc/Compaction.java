package dev.cairn.allocator.bfc;

import static dev.cairn.allocator.bfc.ChunkTable.NONE;

import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.BlockMover;
import dev.cairn.allocator.MemorySpace;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/**
 * Moves blocks of a heap so that its free memory lies together. First the blocks of whole regions go into free chunks
 * of other regions, those of the least used region first; then blocks slide to the low end of their region; then
 * regions are emptied once more, into what the slides joined. A chunk keeps its row, so the handle of its block stays
 * valid. Reserved blocks, blocks that the mover refuses, and memory that streams may still use stay where they are. A
 * move that throws leaves the heap as it was after the move before. The caller holds the lock.
 */
final class Compaction {
  private final BfcHeap heap;
  private final ChunkTable chunks;
  private final Handles handles;
  private final Owners owners;
  private final Object issuer;
  private final MemorySpace space;
  private final BlockMover mover;
  private final AllocationListener listener;

  /** @param issuer the allocator of the blocks */
  Compaction(BfcHeap heap, Handles handles, Owners owners, Object issuer, MemorySpace space, BlockMover mover,
    AllocationListener listener) {
    this.heap = heap;
    this.chunks = heap.chunks;
    this.handles = handles;
    this.owners = owners;
    this.issuer = issuer;
    this.space = space;
    this.mover = mover;
    this.listener = listener;
  }

  /** Moves all that can move to advantage, and gives idle regions back; the answer is how many bytes moved. */
  long compact() {
    long before = heap.usage.movedBytes();
    pack(() -> false);
    heap.releaser.trim(0, IdleTimes.ANY);
    return heap.usage.movedBytes() - before;
  }

  /**
   * Moves blocks until a request that was refused may fit; false when nothing moved. Nothing moves when all free memory
   * together would not do.
   *
   * @param wantedBytes of the chunk
   * @param isReserve whether the request needs a region of its own
   */
  boolean makeRoom(long wantedBytes, boolean isReserve) {
    // A request that the limit allows was refused by the source, which must get as much back.
    boolean isLimited = !heap.releaser.allows(wantedBytes);
    long unused = isLimited ? heap.usage.limitBytes() - heap.usage.poolBytes() : 0;
    if (wantedBytes - heap.usage.freeBytes() > unused) {
      return false;
    }
    long before = heap.usage.movedBytes();
    pack(() -> (!isReserve && heap.bins.largestBytes(chunks) >= wantedBytes) || (heap.releaser.allows(wantedBytes)
      && (isLimited || heap.releaser.idleBytes() >= wantedBytes)));
    return heap.usage.movedBytes() > before;
  }

  private void pack(BooleanSupplier isEnough) {
    heap.timed.mergeSafe();
    heap.timed.mergePassed();
    if (!emptyRegions(isEnough) && slideBlocks(isEnough)) {
      boolean _ = emptyRegions(isEnough);
    }
  }

  /** A region that can be emptied, and what was in use of it. */
  private record Candidate(RegionTable.Row row, long bytesInUse) {}

  /** Moves blocks out of the regions that can be emptied; whether that was enough. */
  private boolean emptyRegions(BooleanSupplier isEnough) {
    PriorityQueue<Candidate> candidates = new PriorityQueue<>(Comparator.comparingLong(Candidate::bytesInUse));
    for (RegionTable.Row row : heap.regions.rows()) {
      if (canBeEmptied(row)) {
        candidates.add(new Candidate(row, bytesInUse(row)));
      }
    }
    for (Candidate next = candidates.poll(); next != null; next = candidates.poll()) {
      RegionTable.Row row = next.row;
      if (bytesInUse(row) > next.bytesInUse) {
        // It took in blocks of another region meanwhile.
        candidates.add(new Candidate(row, bytesInUse(row)));
        continue;
      }
      List<Integer> held = heldIn(row);
      if (fitElsewhere(held, row)) {
        for (int chunk : held) {
          int target = targetOf(chunk, row);
          if (target == NONE || !moveOut(chunk, target)) {
            break;
          }
        }
        if (isEnough.getAsBoolean()) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean canBeEmptied(RegionTable.Row row) {
    if (chunks.isReserved(row.firstChunk)) {
      return false;
    }
    boolean isHeld = false;
    for (int chunk = row.firstChunk; chunk != NONE; chunk = chunks.next(chunk)) {
      if (chunks.isInUse(chunk) ? !mover.isMovable(chunks.allocationId(chunk)) : !chunks.isFreeForAll(chunk)) {
        return false;
      }
      isHeld |= chunks.isInUse(chunk);
    }
    return isHeld;
  }

  private long bytesInUse(RegionTable.Row row) {
    long bytes = 0;
    for (int chunk = row.firstChunk; chunk != NONE; chunk = chunks.next(chunk)) {
      bytes += chunks.isInUse(chunk) ? chunks.bytes(chunk) : 0;
    }
    return bytes;
  }

  /** The chunks in use of a region, the longest first. */
  private List<Integer> heldIn(RegionTable.Row row) {
    List<Integer> held = new ArrayList<>();
    for (int chunk = row.firstChunk; chunk != NONE; chunk = chunks.next(chunk)) {
      if (chunks.isInUse(chunk)) {
        held.add(chunk);
      }
    }
    held.sort(Comparator.comparingLong(chunk -> -chunks.bytes(chunk)));
    return held;
  }

  /** Whether free chunks of other regions hold all of these, each in the smallest that is long enough. */
  private boolean fitElsewhere(List<Integer> held, RegionTable.Row row) {
    if (chunks.bytes(held.getFirst()) > heap.bins.largestBytes(chunks)) {
      return false;
    }
    TreeMap<Long, Integer> lengths = new TreeMap<>();
    for (int size = 0; size < SizeClasses.COUNT; size++) {
      for (int chunk = heap.bins.first(size); chunk != NONE
        && SizeClasses.of(chunks.bytes(chunk)) == size; chunk = heap.bins.after(chunks, chunk)) {
        if (isTarget(chunk, row)) {
          lengths.merge(chunks.bytes(chunk), 1, Integer::sum);
        }
      }
    }
    for (int chunk : held) {
      Long length = lengths.ceilingKey(chunks.bytes(chunk));
      if (length == null) {
        return false;
      }
      lengths.computeIfPresent(length, (_, count) -> count == 1 ? null : count - 1);
      if (length > chunks.bytes(chunk)) {
        lengths.merge(length - chunks.bytes(chunk), 1, Integer::sum);
      }
    }
    return true;
  }

  private int targetOf(int chunk, RegionTable.Row row) {
    int target = heap.bins.bestFit(chunks, chunks.bytes(chunk));
    while (target != NONE && !isTarget(target, row)) {
      target = heap.bins.after(chunks, target);
    }
    return target;
  }

  /** Whether blocks of a region may go into a free chunk: into another region that is in use anyway. */
  private boolean isTarget(int free, RegionTable.Row row) {
    long address = chunks.address(free);
    return chunks.isFreeForAll(free) && !chunks.isAlone(free)
      && (address < row.address || address >= row.endAddress());
  }

  /** Slides blocks to the low ends of their regions; false if nothing moved, or if what moved is enough. */
  private boolean slideBlocks(BooleanSupplier isEnough) {
    long before = heap.usage.movedBytes();
    List<RegionTable.Row> rows = new ArrayList<>(heap.regions.rows());
    rows.sort(Comparator.comparingLong(row -> bytesInUse(row) - row.bytes()));
    for (RegionTable.Row row : rows) {
      if (slideIn(row) && isEnough.getAsBoolean()) {
        return false;
      }
    }
    return heap.usage.movedBytes() > before;
  }

  /** Whether a block moved. A single gap is as long wherever it lies, so nothing moves for it. */
  private boolean slideIn(RegionTable.Row row) {
    int gaps = 0;
    for (int chunk = row.firstChunk; chunk != NONE; chunk = chunks.next(chunk)) {
      gaps += chunks.isFreeForAll(chunk) ? 1 : 0;
    }
    boolean isMoved = false;
    for (int chunk = row.firstChunk; gaps > 1 && chunk != NONE; chunk = chunks.next(chunk)) {
      int gap = chunks.previous(chunk);
      if (chunks.isInUse(chunk) && gap != NONE && chunks.isFreeForAll(gap)
        && mover.isMovable(chunks.allocationId(chunk))) {
        isMoved |= moveDown(chunk, gap);
      }
    }
    return isMoved;
  }

  /** Moves a block into a free chunk of another region that is at least as long. */
  private boolean moveOut(int chunk, int target) {
    // After the copy, nothing may fail.
    chunks.ensureRoom(1);
    long from = chunks.address(chunk);
    long to = chunks.address(target);
    long bytes = chunks.bytes(chunk);
    if (!copied(chunk, to)) {
      return false;
    }
    int hole = chunks.create(from, bytes);
    link(chunks.previous(chunk), hole, chunks.next(chunk));
    chunks.setRange(chunk, to, bytes);
    if (chunks.bytes(target) == bytes) {
      int previous = chunks.previous(target);
      int next = chunks.next(target);
      heap.bins.remove(chunks, target);
      chunks.destroy(target);
      link(previous, chunk, next);
    } else {
      heap.bins.resize(chunks, target, to + bytes, chunks.bytes(target) - bytes);
      link(chunks.previous(target), chunk, target);
    }
    heap.idle(heap.coalesce(hole));
    moved(chunk, from);
    return true;
  }

  /** Moves a block to the beginning of the free chunk before it, which then comes after it. */
  private boolean moveDown(int chunk, int gap) {
    long from = chunks.address(chunk);
    long to = chunks.address(gap);
    if (!copied(chunk, to)) {
      return false;
    }
    int previous = chunks.previous(gap);
    int next = chunks.next(chunk);
    heap.bins.remove(chunks, gap);
    chunks.setRange(chunk, to, chunks.bytes(chunk));
    chunks.setRange(gap, chunks.endAddress(chunk), chunks.bytes(gap));
    link(previous, chunk, gap);
    link(chunk, gap, next);
    int _ = heap.coalesce(gap);
    moved(chunk, from);
    return true;
  }

  private boolean copied(int chunk, long to) {
    Block block = handles.blockOf(chunk, to, issuer, space);
    return mover.move(block);
  }

  /** Puts a chunk between two others of its region; {@link ChunkTable#NONE} for an end of the region. */
  private void link(int previous, int chunk, int next) {
    chunks.setPrevious(chunk, previous);
    chunks.setNext(chunk, next);
    chunks.setNext(previous, chunk);
    chunks.setPrevious(next, chunk);
    if (previous == NONE) {
      heap.regions.holding(chunks.address(chunk)).firstChunk = chunk;
    }
    if (next == NONE) {
      heap.regions.holding(chunks.address(chunk)).lastChunk = chunk;
    }
  }

  private void moved(int chunk, long from) {
    heap.usage.moved(chunks.requestedBytes(chunk));
    heap.usage.settle(heap.bins.count());
    long id = chunks.allocationId(chunk);
    listener.freed(id, from, chunks.bytes(chunk));
    listener.granted(id, chunks.address(chunk), chunks.bytes(chunk), chunks.requestedBytes(chunk), owners.owner(chunks
      .owner(chunk)));
  }
}
