package dev.cairn.allocator.bfc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.Gauge;
import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.RunningGauge;
import dev.cairn.allocator.source.FakeSubAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Figures where the naive model does not go, with two ends, pools that are put back and the leanest collection: counted
 * anew after every call from the map of what lies where, and from what the listener is told of regions.
 */
class ObservedFiguresTest {
  private static final int CALLS = 1000;
  private static final BfcOptions SMALL = BfcOptions.DEFAULT.withLimitBytes(8 << 20).withFirstRegionBytes(64 << 10);

  private final RunningGauge[] all = gauges();
  private final RunningGauge[] small = gauges();
  private final RunningGauge[] large = gauges();
  private final RunningGauge splits = new RunningGauge();
  private final RunningGauge splitBytes = new RunningGauge();
  private final RunningGauge pool = new RunningGauge();
  private final RunningGauge regions = new RunningGauge();
  private long largest;
  private List<Long> held = new ArrayList<>();

  private static RunningGauge[] gauges() {
    return new RunningGauge[] {new RunningGauge(), new RunningGauge(), new RunningGauge()};
  }

  private final AllocationListener listener = new AllocationListener() {
    @Override
    public void regionAdded(long address, long bytes) {
      pool.add(bytes);
      regions.add(1);
    }

    @Override
    public void regionReleased(long address, long bytes) {
      pool.subtract(bytes);
      regions.subtract(1);
    }
  };

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void figuresOfTwoEnds(long seed) {
    BfcOptions options = SMALL.withTwoEnds();
    run(seed, seed % 2 == 0 ? options : options.withSplit(SplitPolicy.exact()));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void figuresWhereIdleRegionsGoBeforeThePoolGrows(long seed) {
    BfcOptions options = SMALL.withCollection(BfcOptions.Collection.BEFORE_GROWTH);
    run(seed, seed % 2 == 0 ? options : options.withGrowth(BfcOptions.Growth.AS_REQUESTED));
  }

  private void run(long seed, BfcOptions options) {
    Random random = new Random(seed);
    try (var allocator = new BfcAllocator(FakeSubAllocator.scattered(1L << 40), options, listener)) {
      for (int call = 0; call < CALLS; call++) {
        if (random.nextInt(100) == 0) {
          allocator.trim();
        } else {
          call(allocator, random);
        }
        compare(allocator, "call " + call);
      }
      held.forEach(allocator::release);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void figuresOfAPoolThatIsPutBack(long seed) {
    Random random = new Random(seed);
    PrivatePool pool = new PrivatePool(FakeSubAllocator.scattered(1L << 40), SMALL.withLimitBytes(1L << 30));
    BfcAllocator allocator = pool.allocator();
    for (int round = 0; round < 20; round++) {
      calls(allocator, random, 40);
      try (Checkpoint checkpoint = pool.checkpoint()) {
        List<Long> then = List.copyOf(held);
        for (int again = 0; again < 3; again++) {
          calls(allocator, random, random.nextInt(40));
          observeRegions(allocator);
          pool.restore(checkpoint);
          putBack(allocator.memoryMap());
          held = new ArrayList<>(then);
          compare(allocator, "restored in round " + round);
        }
      }
    }
    held.forEach(allocator::release);
    pool.close();
  }

  @Test
  void aPoolIsNotPutBackWhileOneHoldsARegionOfItsOwn() {
    PrivatePool pool = new PrivatePool(FakeSubAllocator.scattered(1L << 40), SMALL);
    BfcAllocator allocator = pool.allocator();
    long handle = allocator.grant(1000);
    Checkpoint checkpoint = pool.checkpoint();
    Block reserved = allocator.reserve(AllocationRequest.of(4096));
    AllocatorStats before = allocator.stats();
    assertThatIllegalStateException().isThrownBy(() -> pool.restore(checkpoint)).withMessageContaining("reservedBytes");
    assertThatIllegalStateException().isThrownBy(pool::checkpoint).withMessageContaining("reservedBytes");
    assertThat(allocator.stats()).isEqualTo(before);
    allocator.validate();
    allocator.free(reserved);
    pool.restore(checkpoint);
    allocator.validate();
    checkpoint.close();
    allocator.release(handle);
    pool.close();
  }

  private void calls(BfcAllocator allocator, Random random, int count) {
    for (int call = 0; call < count; call++) {
      call(allocator, random);
      observeRegions(allocator);
      compare(allocator, "call " + call);
    }
  }

  /** A private pool has no listener; it doesn't shrink here, so that regions are told by the map. */
  private void observeRegions(BfcAllocator allocator) {
    MemoryMap map = allocator.memoryMap();
    pool.set(map.regions().stream().mapToLong(MemoryMap.RegionEntry::bytes).sum());
    regions.set(map.regions().size());
  }

  private void call(BfcAllocator allocator, Random random) {
    if (random.nextInt(50) == 0) {
      allocator.clearStats();
      clear();
    } else if (held.isEmpty() || random.nextInt(100) < 52) {
      AllocationRequest request = AllocationRequest.of(1 + random.nextInt(1 << (1 + random.nextInt(22))))
        .withAlignment(random.nextInt(4) == 0 ? 256L << random.nextInt(7) : 256)
        .at(random.nextBoolean() ? AllocationRequest.End.LOWER : AllocationRequest.End.UPPER);
      try {
        Block block = allocator.allocate(request);
        held.add(block.handle());
        largest = Math.max(largest, block.bytes());
        granted(all, block.bytes(), block.requestedBytes());
        granted(block.bytes() <= 1 << 20 ? small : large, block.bytes(), block.requestedBytes());
      } catch (OutOfMemory e) {
        release(allocator, random.nextInt(held.size()));
      }
    } else {
      release(allocator, random.nextInt(held.size()));
    }
  }

  private void release(BfcAllocator allocator, int index) {
    Block block = allocator.blockOf(held.remove(index));
    allocator.release(block.handle());
    freed(all, block.bytes(), block.requestedBytes());
    freed(block.bytes() <= 1 << 20 ? small : large, block.bytes(), block.requestedBytes());
  }

  private static void granted(RunningGauge[] of, long bytes, long requested) {
    of[0].add(1);
    of[1].add(bytes);
    of[2].add(requested);
  }

  private static void freed(RunningGauge[] of, long bytes, long requested) {
    of[0].subtract(1);
    of[1].subtract(bytes);
    of[2].subtract(requested);
  }

  /** All is freed, and what was held then is granted. */
  private void putBack(MemoryMap now) {
    for (RunningGauge[] of : List.of(all, small, large)) {
      for (RunningGauge gauge : of) {
        gauge.subtract(gauge.current());
      }
    }
    now.chunks().filter(MemoryMap.ChunkEntry::inUse).forEach(chunk -> {
      granted(all, chunk.bytes(), chunk.requestedBytes());
      granted(chunk.bytes() <= 1 << 20 ? small : large, chunk.bytes(), chunk.requestedBytes());
    });
  }

  private void clear() {
    for (RunningGauge[] of : List.of(all, small, large, new RunningGauge[] {splits, splitBytes, pool, regions})) {
      for (RunningGauge gauge : of) {
        gauge.clear();
      }
    }
    largest = 0;
  }

  private void compare(BfcAllocator allocator, String when) {
    MemoryMap map = allocator.memoryMap();
    long splitsNow = 0;
    long splitBytesNow = 0;
    long largestFree = 0;
    for (MemoryMap.RegionEntry region : map.regions()) {
      for (int chunk = region.firstChunk(); chunk < region.firstChunk() + region.chunkCount(); chunk++) {
        boolean isFree = !map.isInUse(chunk);
        largestFree = isFree ? Math.max(largestFree, map.bytes(chunk)) : largestFree;
        splitsNow += isFree && region.chunkCount() > 1 ? 1 : 0;
        splitBytesNow += isFree && region.chunkCount() > 1 ? map.bytes(chunk) : 0;
      }
    }
    splits.set(splitsNow);
    splitBytes.set(splitBytesNow);
    AllocatorStats actual = allocator.stats();
    AllocatorStats expected = new AllocatorStats(blocks(all), blocks(small), blocks(large), pool.gauge(),
      regions.gauge(), splits.gauge(), splitBytes.gauge(), Gauge.ZERO, actual.limitBytes(), largest, largestFree, 0,
      actual.refusalCount(), 0);
    if (!actual.equals(expected)) {
      assertThat(actual).as(when).isEqualTo(expected);
    }
  }

  private static AllocatorStats.Blocks blocks(RunningGauge[] of) {
    return new AllocatorStats.Blocks(of[0].gauge(), of[1].gauge(), of[2].gauge());
  }
}
