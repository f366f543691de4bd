package dev.cairn.allocator.bfc;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.StreamProgress;
import dev.cairn.allocator.source.FakeSubAllocator;
import dev.cairn.allocator.source.Region;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each invariant is broken by hand: the check must name it. */
class InvariantsTest {
  /** Two chunks: the first and the next, or a tree's root and what is below it. */
  private record Two(int first, int second) {}

  private BfcHeap heap;
  private int first;
  private int second;
  private int third;

  /** In one region of 4096: first 256 | second 512 | third 256, free | 256 in use | rest, free. */
  @BeforeEach
  void makeHeap() {
    BfcOptions options = BfcOptions.DEFAULT.withLimitBytes(4096).withGrowth(BfcOptions.Growth.WHOLE);
    heap = new BfcHeap(FakeSubAllocator.scattered(1 << 20), options, AllocationListener.silent(), StreamProgress.NONE);
    first = heap.allocate(200, 0);
    second = heap.allocate(512, 0);
    third = heap.allocate(256, 0);
    heap.allocate(256, 0);
    heap.free(third);
    assertThatCode(() -> Invariants.check(heap)).doesNotThrowAnyException();
  }

  private void assertBroken(String invariant) {
    assertThatThrownBy(() -> Invariants.check(heap)).isInstanceOf(AssertionError.class)
      .hasMessageStartingWith(invariant + " broken");
  }

  @Test
  void tiled() {
    heap.chunks.setBytes(second, 768);
    assertBroken("I1 tiled");
  }

  @Test
  void tiledToTheEnd() {
    int last = heap.regions.rows().getFirst().lastChunk;
    heap.bins.remove(heap.chunks, last);
    heap.chunks.setBytes(last, heap.chunks.bytes(last) - 256);
    heap.bins.insert(heap.chunks, last);
    assertBroken("I1 tiled");
  }

  @Test
  void linkedBackwards() {
    heap.chunks.setPrevious(second, third);
    assertBroken("I2 linked");
  }

  @Test
  void linkedToTheLast() {
    heap.regions.rows().getFirst().lastChunk = first;
    assertBroken("I2 linked");
  }

  @Test
  void sized() {
    heap.chunks.occupy(first, heap.chunks.allocationId(first), 257, 0, 0);
    assertBroken("I3 sized");
  }

  @Test
  void coalesced() {
    heap.usage.freed(512, 512);
    heap.chunks.vacate(second, 0);
    heap.bins.insert(heap.chunks, second);
    assertBroken("I4 coalesced");
  }

  @Test
  void binned() {
    heap.bins.remove(heap.chunks, third);
    assertBroken("I5 binned");
  }

  @Test
  void binnedInTheRightBin() {
    int last = heap.regions.rows().getFirst().lastChunk;
    heap.bins.remove(heap.chunks, third);
    heap.bins.remove(heap.chunks, last);
    long bytes = heap.chunks.bytes(last);
    heap.chunks.setBytes(last, 256);
    heap.bins.insert(heap.chunks, last);
    heap.bins.insert(heap.chunks, third);
    heap.chunks.setBytes(last, bytes);
    assertBroken("I5 binned");
  }

  @Test
  void orderedInTree() {
    Two two = treeOfTwo();
    boolean onLeft = heap.chunks.left(two.first) == two.second;
    heap.chunks.setLeft(two.first, onLeft ? ChunkTable.NONE : two.second);
    heap.chunks.setRight(two.first, onLeft ? two.second : ChunkTable.NONE);
    assertBroken("I6 ordered");
  }

  @Test
  void orderedByPriority() {
    Two two = treeOfTwo();
    // The test makes the child the root: the tree is still a search tree, but no heap.
    heap.bins.remove(heap.chunks, two.first);
    boolean rootIsBefore = Treap.isBefore(heap.chunks, two.first, two.second);
    heap.chunks.setLeft(two.first, ChunkTable.NONE);
    heap.chunks.setRight(two.first, ChunkTable.NONE);
    heap.chunks.setLeft(two.second, rootIsBefore ? two.first : ChunkTable.NONE);
    heap.chunks.setParent(two.first, two.second);
    heap.chunks.setRight(two.second, rootIsBefore ? ChunkTable.NONE : two.first);
    assertBroken("I6 ordered");
  }

  /** Makes another heap, of 1 MiB, with a tree of two: its root, and what is below that. */
  private Two treeOfTwo() {
    long bytes = 64 << 10;
    BfcOptions options = BfcOptions.DEFAULT.withLimitBytes(1 << 20).withGrowth(BfcOptions.Growth.WHOLE);
    heap = new BfcHeap(FakeSubAllocator.scattered(1 << 20), options, AllocationListener.silent(), StreamProgress.NONE);
    int one = heap.allocate(bytes, 0);
    heap.allocate(256, 0);
    int other = heap.allocate(bytes, 0);
    heap.allocate(256, 0);
    heap.free(one);
    heap.free(other);
    Invariants.check(heap);
    int root = heap.bins.root(SizeClasses.of(bytes));
    return new Two(root, root == one ? other : one);
  }

  @Test
  void counted() {
    heap.usage.freed(256, 0);
    assertBroken("I7 counted");
  }

  @Test
  void identified() {
    heap.chunks.occupy(first, heap.chunks.allocationId(second), 200, 0, 0);
    assertBroken("I8 identified");
  }

  @Test
  void identifiedByAnIdThatWasGivenOut() {
    heap.chunks.occupy(first, 1000, 200, 0, 0);
    assertBroken("I8 identified");
  }

  @Test
  void apart() {
    heap.chunks.ensureRoom(1);
    Region inside = Region.withoutHostAccess(FakeSubAllocator.FIRST_ADDRESS + 256, 256);
    int chunk = heap.chunks.create(inside.address(), inside.bytes());
    heap.regions.ensureRoom(2);
    heap.regions.insert(RegionTable.Row.of(List.of(inside), chunk, chunk, 0));
    assertBroken("I9 apart");
  }

  @Test
  void accounted() {
    heap.chunks.ensureRoom(1);
    int lost = heap.chunks.create(0, 256);
    heap.chunks.occupy(lost, 0, 1, 0, 0);
    assertBroken("I10 accounted");
  }
}
