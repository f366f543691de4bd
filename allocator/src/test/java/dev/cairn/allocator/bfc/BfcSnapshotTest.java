package dev.cairn.allocator.bfc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.Owner;
import dev.cairn.allocator.SharedCounter;
import dev.cairn.allocator.StreamProgress;
import dev.cairn.allocator.Validated;
import dev.cairn.allocator.source.FakeSubAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Snapshots are of their moment, whatever comes after it and whichever threads are at work. */
class BfcSnapshotTest {
  @RegisterExtension
  final Validated validated = new Validated();

  /** A heap that is changed at random, without a lock. */
  private static final class Churned {
    final Owners owners = new Owners();
    final FakeSubAllocator source = FakeSubAllocator.contiguous(Long.MAX_VALUE);
    final BfcHeap heap = new BfcHeap(source,
      BfcOptions.DEFAULT.withClock(new SharedCounter()), AllocationListener.silent(), StreamProgress.NONE);
    final MapMaker maps = new MapMaker(new HeapLock(), heap, owners, source);
    final List<Integer> held = new ArrayList<>();
    final Random random;

    Churned(long seed) {
      this.random = new Random(seed);
    }

    void churn(int calls, int mostHeld) {
      for (int i = 0; i < calls; i++) {
        if (held.size() < mostHeld && random.nextInt(100) < 60) {
          heap.beginStep(i);
          int owner = owners.numberOf(Owner.of("op" + random.nextInt(50)));
          AllocationRequest request = AllocationRequest.of(1 + random.nextInt(1 << random.nextInt(18)))
            .withAlignment(1L << random.nextInt(14));
          held.add(heap.allocate(request, owner));
        } else if (!held.isEmpty()) {
          int last = held.removeLast();
          int victim = random.nextInt(held.size() + 1);
          heap.free(victim == held.size() ? last : held.set(victim, last));
        }
        if (i % 500 == 0) {
          heap.timed.setSafeFrontier(random.nextInt(i + 1));
        }
      }
    }
  }

  private static void assertSame(MemoryMap actual, MemoryMap expected) {
    assertThat(actual.stats()).isEqualTo(expected.stats());
    assertThat(actual.regions()).isEqualTo(expected.regions());
    assertThat(actual.owners()).isEqualTo(expected.owners());
    assertThat(actual.chunkCount()).isEqualTo(expected.chunkCount());
    for (int chunk = 0; chunk < expected.chunkCount(); chunk++) {
      if (!actual.chunk(chunk).equals(expected.chunk(chunk))) {
        assertThat(actual.chunk(chunk)).isEqualTo(expected.chunk(chunk));
      }
    }
  }

  @Test
  void aSnapshotReadLateIsTheMapReadAtOnce() {
    for (long seed = 0; seed < 10; seed++) {
      Churned churned = new Churned(seed);
      churned.churn(3000, 3000);
      MapMaker.Snapshot snapshot = churned.maps.snapshot();
      MemoryMap atOnce = churned.maps.read(snapshot);
      churned.churn(10_000, 6000);
      assertSame(churned.maps.read(snapshot), atOnce);
      churned.held.forEach(churned.heap::free);
      assertSame(churned.maps.read(snapshot), atOnce);
      churned.heap.chunks.thaw();
      Invariants.check(churned.heap);
    }
  }

  @Test
  void manySnapshotsAtOnceAreEachOfTheirMoment() {
    Churned churned = new Churned(77);
    List<MapMaker.Snapshot> snapshots = new ArrayList<>();
    List<MemoryMap> maps = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      churned.churn(500, 2500);
      snapshots.add(churned.maps.snapshot());
      maps.add(churned.maps.read(snapshots.getLast()));
      if (i % 7 == 6) {
        // The snapshots are released early, and not in the order in which they were taken.
        assertSame(churned.maps.read(snapshots.remove(2)), maps.remove(2));
        churned.heap.chunks.thaw();
      }
    }
    for (int i = 0; i < maps.size(); i++) {
      assertSame(churned.maps.read(snapshots.get(i)), maps.get(i));
    }
    Invariants.check(churned.heap);
  }

  /** What a map says of itself: regions apart, chunks that tile them, and figures that are the sums of both. */
  static void assertConsistent(MemoryMap map) {
    long inUse = 0;
    long requested = 0;
    long live = 0;
    long pool = 0;
    long largestFree = 0;
    long splits = 0;
    int chunk = 0;
    long lastEnd = 0;
    for (MemoryMap.RegionEntry region : map.regions()) {
      require(region.address() >= lastEnd && region.firstChunk() == chunk, "region", region);
      long address = region.address();
      for (; chunk < region.firstChunk() + region.chunkCount(); chunk++) {
        require(map.address(chunk) == address && map.bytes(chunk) > 0, "tiling", region);
        address += map.bytes(chunk);
        if (map.isInUse(chunk)) {
          live++;
          inUse += map.bytes(chunk);
          requested += map.requestedBytes(chunk);
        } else {
          largestFree = Math.max(largestFree, map.bytes(chunk));
          splits += region.chunkCount() > 1 ? 1 : 0;
        }
      }
      lastEnd = region.address() + region.bytes();
      require(address == lastEnd, "end", region);
      pool += region.bytes();
    }
    AllocatorStats stats = map.stats();
    assertThat(List.of(live, inUse, requested, pool, largestFree, splits, (long) chunk)).isEqualTo(
      List.of(stats.liveCount(), stats.bytesInUse(), stats.requestedBytesInUse(), stats.poolBytes(),
        stats.largestFreeBytes(), stats.freeSplits().current(), (long) map.chunkCount()));
  }

  private static void require(boolean holds, String what, MemoryMap.RegionEntry region) {
    if (!holds) {
      throw new AssertionError(what + " of " + region);
    }
  }

  @Test
  void mapsTakenWhileOthersWorkAreConsistent() throws Exception {
    BfcAllocator allocator = validated.watch(new BfcAllocator(FakeSubAllocator.contiguous(1L << 50),
      BfcOptions.DEFAULT.withCollection(BfcOptions.Collection.AT_THE_LIMIT)));
    AtomicBoolean ends = new AtomicBoolean();
    List<CompletableFuture<Void>> others = new ArrayList<>();
    for (int thread = 0; thread < 3; thread++) {
      Random random = new Random(thread);
      others.add(CompletableFuture.runAsync(() -> churnUntil(ends, allocator, random)));
    }
    long lastGrants = -1;
    for (int i = 0; i < 300; i++) {
      MemoryMap map = allocator.memoryMap();
      assertConsistent(map);
      assertThat(map.stats().allocationCount()).isGreaterThanOrEqualTo(lastGrants);
      lastGrants = map.stats().allocationCount();
    }
    ends.set(true);
    for (CompletableFuture<Void> other : others) {
      other.get();
    }
    assertConsistent(allocator.memoryMap());
    assertThat(allocator.stats().liveCount()).isZero();
  }

  private static void churnUntil(AtomicBoolean ends, BfcAllocator allocator, Random random) {
    List<Long> held = new ArrayList<>();
    while (!ends.get()) {
      if (held.size() < 1500 && random.nextInt(100) < 55) {
        held.add(allocator.grant(1 + random.nextInt(50_000)));
      } else if (!held.isEmpty()) {
        allocator.release(held.remove(random.nextInt(held.size())));
      }
      if (random.nextInt(1000) == 0) {
        allocator.trim();
      }
    }
    held.forEach(allocator::release);
  }
}
