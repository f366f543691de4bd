package dev.cairn.allocator.bfc;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Figures where the naive model does not go, with the leanest collection: counted anew after every call
 * from the map of what lies where, and from what the listener is told of regions.
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
  private final List<Long> held = new ArrayList<>();

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

  private void call(BfcAllocator allocator, Random random) {
    if (random.nextInt(50) == 0) {
      allocator.clearStats();
      clear();
    } else if (held.isEmpty() || random.nextInt(100) < 52) {
      AllocationRequest request = AllocationRequest.of(1 + random.nextInt(1 << (1 + random.nextInt(22))))
        .withAlignment(random.nextInt(4) == 0 ? 256L << random.nextInt(7) : 256);
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
      actual.refusalCount(), 0, 0);
    if (!actual.equals(expected)) {
      assertThat(actual).as(when).isEqualTo(expected);
    }
  }

  private static AllocatorStats.Blocks blocks(RunningGauge[] of) {
    return new AllocatorStats.Blocks(of[0].gauge(), of[1].gauge(), of[2].gauge());
  }
}
