package dev.cairn.allocator.bfc;

import static dev.cairn.allocator.bfc.ChunkTable.NONE;

import dev.cairn.allocator.Alignment;
import dev.cairn.allocator.AllocationRequest.End;

/**
 * Placement at the two ends of one region, with one gap between them: each end has holes of its own, and where it lies
 * does not depend on what happens at the other. For buffers that must have the same offsets in every process, beside
 * others that come and go. The caller holds the lock.
 *
 * <pre>
 *  | lower | hole | lower |            gap            | upper | hole | upper |
 *  low addresses      grows upward →       ← grows downward     high addresses
 * </pre>
 *
 * <p>A request is served from the holes of its end by best fit, of equal ones the farthest from the gap, and cut as the
 * split policy says; else from the gap, to the byte. A free chunk that adjoins the gap becomes part of it, so no hole
 * ever does. The idea is that of XLA's spatial partitioning.
 */
final class TwoEnds {
  private final BfcHeap heap;
  private final ChunkTable chunks;
  private final SplitRule split;
  private final FreeBins lowerHoles;
  private final FreeBins upperHoles;
  private int gap = NONE;

  TwoEnds(BfcHeap heap, SplitRule split) {
    this.heap = heap;
    this.chunks = heap.chunks;
    this.split = split;
    this.lowerHoles = heap.bins;
    this.upperHoles = FreeBins.highestFirst();
  }

  /** A chunk that meets the demand, in no bin, not in use yet; {@link ChunkTable#NONE} when there is none. */
  int take(Demand demand, End end) {
    int hole = holes(end).bestFit(chunks, demand.bytes());
    while (hole != NONE && !fits(hole, demand, end)) {
      hole = holes(end).after(chunks, hole);
    }
    if (hole != NONE) {
      return cutHole(hole, demand, end);
    }
    if (gap == NONE && heap.usage.poolBytes() == heap.usage.reservedBytes()) {
      extend(demand);
    }
    return gap != NONE && fits(gap, demand, end) ? cutGap(demand, end) : NONE;
  }

  /** For the first request: all of the region is the gap. */
  private void extend(Demand demand) {
    if (heap.extender.extend(demand)) {
      remember(lowerHoles.bestFit(chunks, Alignment.CHUNK_BYTES));
    }
  }

  private FreeBins holes(End end) {
    return end == End.LOWER ? lowerHoles : upperHoles;
  }

  private boolean fits(int chunk, Demand demand, End end) {
    return start(chunk, demand, end) >= chunks.address(chunk)
      && start(chunk, demand, end) + demand.bytes() <= chunks.endAddress(chunk);
  }

  /** Where the demand would lie in a chunk: as low, or as high, as its alignment allows. */
  private long start(int chunk, Demand demand, End end) {
    long address = chunks.address(chunk);
    return end == End.LOWER
      ? address + demand.prefixBytes(address)
      : Alignment.down(chunks.endAddress(chunk) - demand.bytes(), demand.alignmentBytes());
  }

  private int cutHole(int hole, Demand demand, End end) {
    long start = start(hole, demand, end);
    long usableBytes = end == End.LOWER
      ? chunks.endAddress(hole) - start
      : start + demand.bytes() - chunks.address(hole);
    boolean leavesRest = split.leavesRest(usableBytes, demand.bytes());
    holes(end).remove(chunks, hole);
    if (end == End.LOWER) {
      cutBelow(hole, start, end);
      return leavesRest ? keepBelow(hole, start + demand.bytes(), end) : hole;
    }
    keepBelow(hole, start + demand.bytes(), end);
    if (leavesRest) {
      cutBelow(hole, start, end);
    } else {
      // What is granted whole begins at the lowest aligned address.
      cutBelow(hole, chunks.address(hole) + demand.prefixBytes(chunks.address(hole)), end);
    }
    return hole;
  }

  private int cutGap(Demand demand, End end) {
    heap.rouse(gap);
    int taken = gap;
    long start = start(taken, demand, end);
    long gapAddress = chunks.address(taken);
    long gapEnd = chunks.endAddress(taken);
    gap = NONE;
    if (end == End.LOWER) {
      cutBelow(taken, start, end);
      if (start + demand.bytes() < gapEnd) {
        gap = cutAbove(taken, start + demand.bytes());
      }
    } else {
      keepBelow(taken, start + demand.bytes(), end);
      if (start > gapAddress) {
        gap = heap.createBefore(taken, gapAddress, start - gapAddress);
        chunks.setRange(taken, start, demand.bytes());
      }
    }
    chunks.setUpper(taken, end == End.UPPER);
    return taken;
  }

  /** Makes what lies below {@code address} a hole. */
  private void cutBelow(int chunk, long address, End end) {
    long from = chunks.address(chunk);
    if (from < address) {
      long bytes = chunks.bytes(chunk);
      chunks.setRange(chunk, address, bytes - (address - from));
      addHole(heap.createBefore(chunk, from, address - from), end);
    }
  }

  /** Makes what lies from {@code address} on a hole; the chunk itself. */
  private int keepBelow(int chunk, long address, End end) {
    if (address < chunks.endAddress(chunk)) {
      addHole(cutAbove(chunk, address), end);
    }
    return chunk;
  }

  /** Makes what lies from {@code address} on a free chunk in no bin. */
  private int cutAbove(int chunk, long address) {
    long above = chunks.endAddress(chunk) - address;
    chunks.setBytes(chunk, chunks.bytes(chunk) - above);
    return heap.createAfter(chunk, address, above);
  }

  private void addHole(int hole, End end) {
    chunks.setUpper(hole, end == End.UPPER);
    holes(end).insert(chunks, hole);
  }

  /** Makes a chunk, which is marked as free, a hole or a part of the gap. */
  void give(int chunk) {
    boolean upper = chunks.isUpper(chunk);
    FreeBins holes = upper ? upperHoles : lowerHoles;
    int kept = joinNext(joinPrevious(chunk, holes, upper), holes, upper);
    int inward = upper ? chunks.previous(kept) : chunks.next(kept);
    if (inward != NONE && inward == gap) {
      gap = upper ? joined(gap, kept) : joined(kept, gap);
    } else if (gap == NONE && (inward == NONE || chunks.isUpper(inward) != upper)) {
      gap = kept;
    } else {
      holes.insert(chunks, kept);
      return;
    }
    chunks.setUpper(gap, false);
    heap.idle(gap);
  }

  private int joinPrevious(int chunk, FreeBins holes, boolean upper) {
    int previous = chunks.previous(chunk);
    if (!isHole(previous, upper)) {
      return chunk;
    }
    holes.remove(chunks, previous);
    return joined(previous, chunk);
  }

  private int joinNext(int chunk, FreeBins holes, boolean upper) {
    int next = chunks.next(chunk);
    if (!isHole(next, upper)) {
      return chunk;
    }
    holes.remove(chunks, next);
    return joined(chunk, next);
  }

  private boolean isHole(int chunk, boolean upper) {
    return chunk != NONE && chunk != gap && chunks.isFreeForAll(chunk) && chunks.isUpper(chunk) == upper;
  }

  /** The first of two neighbours in no bin, with the range of both. */
  private int joined(int first, int second) {
    chunks.setBytes(first, chunks.bytes(first) + chunks.bytes(second));
    heap.drop(second);
    return first;
  }

  /** Lets go of the gap before its region goes, which is one free chunk. */
  void forgetGap() {
    lowerHoles.insert(chunks, gap);
    gap = NONE;
  }

  /** Makes a chunk that is in the heap's bins, and all of its region, the gap. */
  void remember(int chunk) {
    lowerHoles.remove(chunks, chunk);
    gap = chunk;
  }

  /** Free chunks at the upper end and in the gap: those that are not in the heap's own bins. */
  int otherFreeChunks() {
    return upperHoles.count() + (gap == NONE ? 0 : 1);
  }

  /** Length of the largest of those; 0 if there is none. */
  long largestOtherBytes() {
    return Math.max(upperHoles.largestBytes(chunks), gap == NONE ? 0 : chunks.bytes(gap));
  }

  int gap() {
    return gap;
  }

  FreeBins upperHoles() {
    return upperHoles;
  }
}
