package dev.cairn.allocator.bfc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.Owner;
import dev.cairn.allocator.SharedCounter;
import dev.cairn.allocator.TrimPolicy;
import dev.cairn.allocator.Validated;
import dev.cairn.allocator.source.FakeSubAllocator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random calls of one thread to fronts of all sorts, and a model that is a list of what is held: no two blocks overlap,
 * figures and maps are those of the list, and a request is refused only where the heap alone would have refused it.
 */
class FrontedModelTest {
  private static final int CALLS = 20_000;

  @RegisterExtension
  final Validated validated = new Validated();

  private record Live(Block block, Owner owner, int step) {}

  private final List<Live> live = new ArrayList<>();
  private final TreeMap<Long, Long> ends = new TreeMap<>();
  private long grants;
  private long refusals;
  private int step;

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23})
  void figuresAndMapsAreThoseOfTheList(long seed) {
    Random random = new Random(seed);
    BfcOptions options = heapOptions(random);
    FrontedAllocator allocator = validated.watch(new FrontedAllocator(
      random.nextBoolean() ? FakeSubAllocator.contiguous(1L << 40) : FakeSubAllocator.scattered(1L << 40), options,
      frontOptions(random), AllocationListener.silent()));
    int most = 20 + random.nextInt(400);
    for (int call = 0; call < CALLS; call++) {
      if (live.isEmpty() || (live.size() < most && random.nextInt(100) < 55)) {
        allocate(allocator, options, random);
      } else {
        free(allocator, random);
      }
      if (random.nextInt(100) == 0) {
        doOtherwise(allocator, random);
      }
      if (call % 50 == 0) {
        assertFigures(allocator.stats());
      }
      if (call % 1000 == 0) {
        allocator.validate();
        assertMap(allocator);
      }
    }
    live.forEach(one -> allocator.free(one.block()));
    assertThat(allocator.stats().bytesInUse()).isZero();
    allocator.close();
    assertThat(allocator.stats().poolBytes()).isZero();
  }

  private static BfcOptions heapOptions(Random random) {
    BfcOptions.Growth[] growths = BfcOptions.Growth.values();
    SplitPolicy[] splits = {SplitPolicy.doubleOrSlack(SplitPolicy.STANDARD_SLACK_BYTES), SplitPolicy.exact(),
      SplitPolicy.doubleOrSlack(0), (chunk, wanted) -> chunk > 16 * wanted};
    BfcOptions options = BfcOptions.DEFAULT.withLimitBytes(1L << (21 + random.nextInt(6)))
      .withGrowth(growths[random.nextInt(growths.length)]).withFirstRegionBytes(256L << random.nextInt(12))
      .withSplit(splits[random.nextInt(splits.length)]);
    return switch (random.nextInt(8)) {
      case 0 -> options.withTwoEnds();
      case 1 -> options.withClock(new SharedCounter());
      case 2 -> options.withCollection(BfcOptions.Collection.AT_THE_LIMIT);
      default -> options;
    };
  }

  private static FrontOptions frontOptions(Random random) {
    return FrontOptions.DEFAULT.withStripes(1 << random.nextInt(4)).withLargestBytes(256L * random.nextInt(300))
      .withMagazineBlocks(1 + random.nextInt(100)).withStripeBytes(random.nextInt(2 << random.nextInt(20)));
  }

  private void allocate(FrontedAllocator allocator, BfcOptions options, Random random) {
    Owner owner = Owner.of("owner" + random.nextInt(30));
    long bytes = 1 + random.nextLong(1L << (1 + random.nextInt(18)));
    AllocationRequest request = AllocationRequest.of(bytes, owner);
    if (random.nextInt(20) == 0) {
      request = request.withAlignment(1L << random.nextInt(14));
    }
    if (random.nextInt(50) == 0) {
      request = request.at(AllocationRequest.End.UPPER);
    }
    boolean reserves = random.nextInt(200) == 0 && options.growth() != BfcOptions.Growth.WHOLE;
    try {
      Block block = reserves && request.alignmentBytes() <= 256
        ? allocator.reserve(request)
        : allocator.allocate(request);
      assertThat(block.address() % request.alignmentBytes()).isZero();
      assertThat(block.requestedBytes()).isEqualTo(bytes);
      assertThat(allocator.addressOf(block.handle())).isEqualTo(block.address());
      hold(new Live(block, owner, step));
    } catch (OutOfMemory refusal) {
      refusals++;
      assertThat(refusal.owner()).isEqualTo(owner);
      // All that was parked is free in the heap, and yet there is no room.
      assertThat(allocator.parkedBytes()).isZero();
      if (!reserves && request.alignmentBytes() <= 256 && !options.twoEnded()) {
        assertThat(refusal.memoryMap().stats().largestFreeBytes()).isLessThan(bytes);
      }
    }
  }

  private void hold(Live one) {
    Block block = one.block();
    Map.Entry<Long, Long> below = ends.floorEntry(block.address());
    Long above = ends.ceilingKey(block.address());
    assertThat(below == null || below.getValue() <= block.address()).isTrue();
    assertThat(above == null || above >= block.address() + block.bytes()).isTrue();
    ends.put(block.address(), block.address() + block.bytes());
    live.add(one);
    grants++;
  }

  private void free(FrontedAllocator allocator, Random random) {
    Live one = live.remove(random.nextInt(live.size()));
    ends.remove(one.block().address());
    if (random.nextBoolean()) {
      allocator.free(one.block());
    } else {
      allocator.release(one.block().handle());
    }
  }

  private void doOtherwise(FrontedAllocator allocator, Random random) {
    switch (random.nextInt(4)) {
      case 0 -> allocator.trim();
      case 1 -> allocator.trim(new TrimPolicy(random.nextInt(1 << 20), Duration.ofNanos(random.nextInt(1_000_000))));
      case 2 -> {
        step++;
        allocator.beginStep(step);
      }
      default -> {
        assertFigures(allocator.clearStats());
        grants = 0;
        refusals = 0;
      }
    }
  }

  private void assertFigures(AllocatorStats stats) {
    assertThat(stats.liveCount()).isEqualTo(live.size());
    assertThat(stats.bytesInUse()).isEqualTo(live.stream().mapToLong(one -> one.block().bytes()).sum());
    assertThat(stats.requestedBytesInUse())
      .isEqualTo(live.stream().mapToLong(one -> one.block().requestedBytes()).sum());
    assertThat(stats.allocationCount()).isEqualTo(grants);
    assertThat(stats.refusalCount()).isEqualTo(refusals);
    assertThat(stats.small().bytes().current() + stats.large().bytes().current()).isEqualTo(stats.bytesInUse());
    assertThat(stats.all().count().peak()).isGreaterThanOrEqualTo(live.size());
    assertThat(stats.peakBytesInUse()).isGreaterThanOrEqualTo(stats.bytesInUse());
    assertThat(stats.all().requestedBytes().peak()).isGreaterThanOrEqualTo(stats.requestedBytesInUse());
    assertThat(stats.freeBytes()).isGreaterThanOrEqualTo(stats.largestFreeBytes());
  }

  private void assertMap(FrontedAllocator allocator) {
    MemoryMap map = allocator.memoryMap();
    assertThat(map.stats()).isEqualTo(allocator.stats());
    assertThat(map.chunks().filter(MemoryMap.ChunkEntry::inUse)).containsExactlyElementsOf(live.stream()
      .sorted(Comparator.comparingLong(one -> one.block().address())).map(FrontedModelTest::entry).toList());
    long end = 0;
    for (MemoryMap.RegionEntry region : map.regions()) {
      assertThat(region.address()).isGreaterThanOrEqualTo(end);
      end = region.address();
      for (MemoryMap.ChunkEntry chunk : map.chunks(region).toList()) {
        assertThat(chunk.address()).isEqualTo(end);
        end += chunk.bytes();
      }
      assertThat(end).isEqualTo(region.address() + region.bytes());
    }
  }

  private static MemoryMap.ChunkEntry entry(Live one) {
    Block block = one.block();
    return new MemoryMap.ChunkEntry(block.address(), block.bytes(), block.requestedBytes(), block.allocationId(),
      one.owner(), one.step(), 0);
  }
}
