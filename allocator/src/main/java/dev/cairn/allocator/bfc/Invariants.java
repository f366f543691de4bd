package dev.cairn.allocator.bfc;

import static dev.cairn.allocator.bfc.ChunkTable.NONE;

import dev.cairn.allocator.Alignment;
import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.source.Region;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;

/** Checks what {@link BfcHeap} promises, slowly and plainly: one pass over the chains, one over the bins. */
final class Invariants {
  private final BfcHeap heap;
  private final ChunkTable chunks;
  private final BitSet inChains = new BitSet();
  private final BitSet inBins = new BitSet();
  private final Set<Long> ids = new HashSet<>();
  private long poolBytes;
  private long bytesInUse;
  private long requestedBytesInUse;
  private long largestFreeBytes;
  private long splits;
  private long splitBytes;
  private int timedChunks;

  private Invariants(BfcHeap heap) {
    this.heap = heap;
    this.chunks = heap.chunks;
  }

  /** Throws an {@link AssertionError} that names the invariant and the facts. */
  static void check(BfcHeap heap) {
    Invariants invariants = new Invariants(heap);
    invariants.checkRegions();
    invariants.checkBins();
    invariants.checkFigures();
    invariants.checkRows();
    invariants.checkAwaited();
  }

  private void checkRegions() {
    long lastEnd = Long.MIN_VALUE;
    for (RegionTable.Row row : heap.regions.rows()) {
      require("I9 apart", row.address >= lastEnd, row.firstChunk);
      lastEnd = row.address;
      for (Region part : row.parts()) {
        require("I9 apart", part.address() == lastEnd && part.bytes() > 0, row.firstChunk);
        lastEnd = part.endAddress();
      }
      poolBytes += row.bytes();
      checkChain(row);
    }
  }

  private void checkChain(RegionTable.Row row) {
    long address = row.address;
    int previous = NONE;
    for (int chunk = row.firstChunk; chunk != NONE; chunk = chunks.next(chunk)) {
      require("I10 accounted", !inChains.get(chunk) && !chunks.isVacant(chunk), chunk);
      inChains.set(chunk);
      require("I1 tiled", chunks.address(chunk) == address, chunk);
      require("I2 linked", chunks.previous(chunk) == previous, chunk);
      require("I4 coalesced", previous == NONE || !chunks.isFreeForAll(previous) || !chunks.isFreeForAll(chunk), chunk);
      checkChunk(chunk);
      address = chunks.endAddress(chunk);
      previous = chunk;
    }
    require("I1 tiled", address == row.endAddress(), previous);
    require("I2 linked", row.lastChunk == previous, previous);
  }

  private void checkChunk(int chunk) {
    long bytes = chunks.bytes(chunk);
    long requested = chunks.requestedBytes(chunk);
    require("I3 sized", bytes > 0 && Alignment.isAligned(bytes | chunks.address(chunk), Alignment.CHUNK_BYTES), chunk);
    if (chunks.isFree(chunk)) {
      require("I3 sized", requested == 0, chunk);
      largestFreeBytes = Math.max(largestFreeBytes, bytes);
      splits += chunks.isAlone(chunk) ? 0 : 1;
      splitBytes += chunks.isAlone(chunk) ? 0 : bytes;
      timedChunks += chunks.freedAt(chunk) > 0 ? 1 : 0;
      return;
    }
    require("I3 sized", requested > 0 && requested <= bytes, chunk);
    long id = chunks.allocationId(chunk);
    require("I8 identified", id < heap.usage.nextAllocationId() && ids.add(id), chunk);
    bytesInUse += bytes;
    requestedBytesInUse += requested;
  }

  private void checkBins() {
    FreeBins bins = heap.bins;
    for (int bin = 0; bin < SizeClasses.COUNT; bin++) {
      int root = bins.root(bin);
      require("I5 binned", bins.isOccupied(bin) == (root != NONE), root);
      require("I6 ordered", root != NONE || bins.first(bin) == NONE, bins.first(bin));
      require("I6 ordered", root == NONE || chunks.parent(root) == NONE, root);
      checkTree(bins, bin, root);
    }
    for (int chunk = 0; chunk < chunks.rows(); chunk++) {
      require("I5 binned", inBins.get(chunk) == chunks.isFree(chunk), chunk);
    }
  }

  /** Walks a tree in order, without recursion: a broken one may be a cycle. */
  private void checkTree(FreeBins bins, int bin, int root) {
    ArrayDeque<Integer> above = new ArrayDeque<>();
    int before = NONE;
    int node = root;
    while (node != NONE || !above.isEmpty()) {
      for (; node != NONE; node = chunks.left(node)) {
        require("I5 binned", !inBins.get(node) && SizeClasses.of(chunks.bytes(node)) == bin, node);
        inBins.set(node);
        checkChild(node, chunks.left(node));
        checkChild(node, chunks.right(node));
        above.push(node);
      }
      int inOrder = above.pop();
      require("I6 ordered", before == NONE
        ? bins.first(bin) == inOrder
        : Treap.isBefore(chunks, before, inOrder), inOrder);
      before = inOrder;
      node = chunks.right(inOrder);
    }
  }

  private void checkChild(int parent, int child) {
    require("I6 ordered", child == NONE || (Treap.isAbove(chunks, parent, child) && chunks.parent(child) == parent),
      parent);
  }

  private void checkFigures() {
    AllocatorStats stats = heap.stats();
    boolean sums = stats.bytesInUse() == bytesInUse && stats.requestedBytesInUse() == requestedBytesInUse
      && stats.poolBytes() == poolBytes && stats.liveCount() == ids.size()
      && stats.largestFreeBytes() == largestFreeBytes && stats.regions().current() == heap.regions.rows().stream()
        .mapToLong(row -> row.parts().size()).sum()
      && stats.freeSplits().current() == splits
      && stats.freeSplitBytes().current() == splitBytes && heap.bins.count() == inBins.cardinality();
    boolean peaks = stats.peakBytesInUse() >= bytesInUse && stats.peakPoolBytes() >= poolBytes
      && poolBytes <= stats.limitBytes();
    if (!sums || !peaks) {
      throw new AssertionError(("I7 counted broken: %s but poolBytes=%d bytesInUse=%d requestedBytesInUse=%d "
        + "liveCount=%d largestFreeBytes=%d").formatted(stats, poolBytes, bytesInUse, requestedBytesInUse, ids.size(),
          largestFreeBytes));
    }
  }

  private void checkRows() {
    int vacant = 0;
    for (int chunk = 0; chunk < chunks.rows(); chunk++) {
      require("I10 accounted", inChains.get(chunk) != chunks.isVacant(chunk), chunk);
      vacant += chunks.isVacant(chunk) ? 1 : 0;
    }
    if (vacant != chunks.vacantCount()) {
      throw new AssertionError("I10 accounted broken: vacant=%d counted=%d".formatted(vacant, chunks.vacantCount()));
    }
  }

  private void checkAwaited() {
    BitSet awaited = new BitSet();
    for (int chunk : heap.timed.awaited()) {
      require("I11 awaited", !awaited.get(chunk), chunk);
      awaited.set(chunk);
    }
    if (awaited.cardinality() != timedChunks) {
      throw new AssertionError("I11 awaited broken: timed=%d awaited=%d".formatted(timedChunks, awaited.cardinality()));
    }
  }

  private void require(String invariant, boolean holds, int chunk) {
    if (!holds) {
      String facts = chunk == NONE ? "no chunk" : chunks.describe(chunk);
      throw new AssertionError(invariant + " broken at " + facts);
    }
  }
}
