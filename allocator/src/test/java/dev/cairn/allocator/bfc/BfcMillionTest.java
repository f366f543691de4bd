package dev.cairn.allocator.bfc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.source.FakeSubAllocator;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Very many chunks at once: granted, replaced, mapped, and given back in another order. */
class BfcMillionTest {
  @Test
  void manyBlocksAreHeldReplacedAndGivenBack() {
    holdReplaceAndGiveBack(150_000);
  }

  @Test
  @Tag("soak")
  void aMillionBlocksAreHeldReplacedAndGivenBack() {
    holdReplaceAndGiveBack(1_000_000);
  }

  private static void holdReplaceAndGiveBack(int live) {
    BfcAllocator allocator = new BfcAllocator(FakeSubAllocator.contiguous(Long.MAX_VALUE), BfcOptions.DEFAULT);
    Random random = new Random(6);
    long[] handles = new long[live];
    long requested = 0;
    for (int i = 0; i < live; i++) {
      long bytes = 1 + random.nextLong(8192);
      requested += bytes;
      handles[i] = allocator.grant(bytes);
    }
    AllocatorStats full = allocator.stats();
    assertThat(full.liveCount()).isEqualTo(live);
    assertThat(full.requestedBytesInUse()).isEqualTo(requested);
    shuffle(handles, random);
    for (int i = 0; i < live / 2; i++) {
      allocator.release(handles[i]);
    }
    allocator.validate();
    assertThat(allocator.stats().freeSplits().current()).isGreaterThan(live / 5);
    for (int i = 0; i < live / 2; i++) {
      handles[i] = allocator.grant(1 + random.nextLong(8192));
    }
    MemoryMap map = allocator.memoryMap();
    BfcSnapshotTest.assertConsistent(map);
    assertThat(map.chunkCount()).isGreaterThanOrEqualTo(live);
    assertThat(allocator.heap.chunks.metadataBytes()).isLessThan(2L * live * 48);
    shuffle(handles, random);
    for (long handle : handles) {
      allocator.release(handle);
    }
    allocator.validate();
    assertThat(allocator.memoryMap().chunkCount()).isEqualTo(1);
    allocator.close();
  }

  private static void shuffle(long[] handles, Random random) {
    for (int i = handles.length - 1; i > 0; i--) {
      int other = random.nextInt(i + 1);
      long handle = handles[i];
      handles[i] = handles[other];
      handles[other] = handle;
    }
  }
}
