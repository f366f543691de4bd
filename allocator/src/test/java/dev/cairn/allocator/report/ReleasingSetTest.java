package dev.cairn.allocator.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.allocator.Alignment;
import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.Owner;
import dev.cairn.testing.Rounds;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The releasing set against a search that tries everything. */
class ReleasingSetTest implements Rounds {
  /** What a set costs: bytes first, then blocks. */
  private record Cost(long bytes, int blocks) implements Comparable<Cost> {
    @Override
    public int compareTo(Cost other) {
      return Comparator.comparingLong(Cost::bytes).thenComparingInt(Cost::blocks).compare(this, other);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7})
  void theWindowIsTheCheapestOfAll(int seed) {
    RandomMaps maps = new RandomMaps(seed);
    Random random = new Random(seed);
    for (int round = 0; round < rounds(300); round++) {
      MemoryMap map = maps.next(4, 14, 5, false);
      OutOfMemory failure = failure(map, 256L * (1 + random.nextInt(60)), 256L << random.nextInt(5), 0);
      WindowSearch search = new WindowSearch(failure);
      Optional<Cost> least = everyWindow(failure);
      assertThat(search.isFound()).as("round %d", round).isEqualTo(least.isPresent());
      if (least.isPresent()) {
        ReleasingSet set = search.set();
        assertThat(new Cost(set.bytes(), set.blockCount())).as("round %d", round).isEqualTo(least.get());
        assertThat(set.roomBytes()).isGreaterThanOrEqualTo(failure.roundedBytes());
        assertThat(set.blocks()).allMatch(MemoryMap.ChunkEntry::inUse).doesNotHaveDuplicates();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7})
  void theRegionsAreEnoughAndSeldomMoreThanTheCheapest(int seed) {
    RandomMaps maps = new RandomMaps(seed);
    Random random = new Random(seed);
    int least = 0;
    int found = 0;
    for (int round = 0; round < rounds(300); round++) {
      OutOfMemory failure = failure(maps.next(8, 4, 5, false), 256L * (1 + random.nextInt(120)), 256, 0);
      RegionSearch search = new RegionSearch(failure);
      Optional<Cost> best = everyChoiceOfRegions(failure);
      assertThat(search.isFound()).as("round %d", round).isEqualTo(best.isPresent());
      if (best.isPresent()) {
        found++;
        Cost cost = new Cost(search.bytesInUse(), search.blocks());
        assertThat(cost).isGreaterThanOrEqualTo(best.get());
        least += cost.equals(best.get()) ? 1 : 0;
        ReleasingSet set = search.set();
        assertThat(new Cost(set.bytes(), set.blockCount())).isEqualTo(cost);
        assertThat(set.roomBytes()).isGreaterThanOrEqualTo(neededBytes(failure));
      }
    }
    assertThat(found).isPositive();
    assertThat(least).as("of %d", found).isGreaterThan(found / 2);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void theCheaperWayIsTakenAndItsOwnersAddUp(int seed) {
    RandomMaps maps = new RandomMaps(100 + seed);
    Random random = new Random(seed);
    for (int round = 0; round < rounds(300); round++) {
      OutOfMemory failure = failure(maps.next(6, 8, 3, true), 256L * (1 + random.nextInt(80)), 256,
        random.nextInt(9));
      WindowSearch window = new WindowSearch(failure);
      RegionSearch regions = new RegionSearch(failure);
      Optional<ReleasingSet> set = ReleasingSet.of(failure);
      assertThat(set.isPresent()).isEqualTo(window.isFound() || regions.isFound());
      if (set.isPresent()) {
        Cost cost = new Cost(set.get().bytes(), set.get().blockCount());
        assertThat(cost).isLessThanOrEqualTo(new Cost(window.bytesInUse(), window.blocks()));
        assertThat(regions.isFound() && new Cost(regions.bytesInUse(), regions.blocks()).compareTo(cost) < 0)
          .isFalse();
        List<OwnerShare> owners = set.get().largestOwners();
        assertThat(owners).hasSize(set.get().ownerCount());
        assertThat(owners.stream().mapToLong(OwnerShare::bytes).sum()).isEqualTo(set.get().bytes());
        assertThat(owners.stream().mapToInt(OwnerShare::blocks).sum()).isEqualTo(set.get().blockCount());
      }
    }
  }

  private static OutOfMemory failure(MemoryMap map, long bytes, long alignment, long freedBefore) {
    AllocationRequest request = AllocationRequest.of(bytes, Owner.of("asker")).withAlignment(alignment)
      .withFreedBefore(freedBefore);
    return new OutOfMemory(request, bytes, map);
  }

  /** Every pair of chunks of every region. */
  private static Optional<Cost> everyWindow(OutOfMemory failure) {
    return failure.memoryMap().regions().stream().flatMap(region -> {
      List<MemoryMap.ChunkEntry> chunks = failure.memoryMap().chunks(region).toList();
      return IntStream.range(0, chunks.size()).boxed().flatMap(first -> IntStream.rangeClosed(first + 1, chunks.size())
        .mapToObj(end -> chunks.subList(first, end)));
    }).filter(window -> {
      long start = Alignment.up(window.getFirst().address(), failure.request().alignmentBytes());
      return start + failure.roundedBytes() <= window.getLast().address() + window.getLast().bytes();
    }).map(ReleasingSetTest::cost).min(Comparator.naturalOrder());
  }

  /** Every set of regions. */
  private static Optional<Cost> everyChoiceOfRegions(OutOfMemory failure) {
    MemoryMap map = failure.memoryMap();
    List<MemoryMap.RegionEntry> regions = map.regions();
    return IntStream.range(1, 1 << regions.size()).mapToObj(bits -> IntStream.range(0, regions.size()).filter(
      region -> (bits >> region & 1) == 1).mapToObj(regions::get).toList()).filter(
        some -> some.stream().mapToLong(MemoryMap.RegionEntry::bytes).sum() >= neededBytes(failure)
          && neededBytes(failure) > 0)
      .map(some -> cost(some.stream().flatMap(map::chunks).toList())).min(Comparator.naturalOrder());
  }

  private static long neededBytes(OutOfMemory failure) {
    boolean refused = failure.reason() == OutOfMemory.Reason.SOURCE_REFUSED;
    return refused
      ? failure.roundedBytes() * 10 / 9 + 256
      : failure.roundedBytes() - (failure.memoryMap().stats().unreservedBytes() & -256);
  }

  private static Cost cost(List<MemoryMap.ChunkEntry> chunks) {
    List<MemoryMap.ChunkEntry> inUse = chunks.stream().filter(MemoryMap.ChunkEntry::inUse).toList();
    return new Cost(inUse.stream().mapToLong(MemoryMap.ChunkEntry::bytes).sum(), inUse.size());
  }
}
