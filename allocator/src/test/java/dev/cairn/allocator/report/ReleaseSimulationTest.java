package dev.cairn.allocator.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.Owner;
import dev.cairn.allocator.bfc.BfcAllocator;
import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.source.FakeSubAllocator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the report says would be enough, is enough: with a real allocator, whose blocks are released as it says. */
class ReleaseSimulationTest {
  private static final List<BfcOptions.Growth> GROWTHS = List.of(BfcOptions.Growth.WHOLE, BfcOptions.Growth.DOUBLING,
    BfcOptions.Growth.AS_REQUESTED);

  private static final long LIMIT = 16L << 20;

  private final Set<ReleasingSet.Way> waysSeen = EnumSet.noneOf(ReleasingSet.Way.class);
  private final Set<OutOfMemory.Reason> reasonsSeen = EnumSet.noneOf(OutOfMemory.Reason.class);

  @Test
  void releasingExactlyTheseBlocksLetsTheRequestBeMet() {
    simulate(10);
  }

  @Test
  @Tag("long")
  void soItDoesWithManySeeds() {
    simulate(30);
  }

  private void simulate(int seeds) {
    for (int seed = 0; seed < seeds; seed++) {
      BfcOptions.Growth growth = GROWTHS.get(seed % GROWTHS.size());
      long capacity = seed % 2 == 0 ? LIMIT : LIMIT * 3 / 4;
      BfcOptions options = BfcOptions.DEFAULT.withLimitBytes(LIMIT).withGrowth(growth)
        .withFirstRegionBytes(256L << random(seed).nextInt(8));
      FakeSubAllocator source = seed % 5 == 4
        ? FakeSubAllocator.contiguous(capacity)
        : FakeSubAllocator.scattered(
          capacity);
      try (BfcAllocator allocator = new BfcAllocator(source, options)) {
        fillAndRefuse(allocator, random(seed), seed);
      }
    }
    assertThat(waysSeen).containsExactlyInAnyOrder(ReleasingSet.Way.values());
    assertThat(reasonsSeen).contains(OutOfMemory.Reason.LIMIT, OutOfMemory.Reason.FRAGMENTATION,
      OutOfMemory.Reason.SOURCE_REFUSED);
  }

  private static Random random(int seed) {
    return new Random(seed);
  }

  private void fillAndRefuse(BfcAllocator allocator, Random random, int seed) {
    Map<Long, Block> held = new TreeMap<>();
    for (int step = 0; step < 600; step++) {
      if (random.nextInt(3) == 0 && !held.isEmpty()) {
        free(allocator, held, held.keySet().stream().skip(random.nextInt(held.size())).findFirst().orElseThrow());
      }
      long bytes = 1 + (random.nextInt(40) == 0 ? random.nextLong(LIMIT - 16384) : random.nextLong(64 << 10));
      AllocationRequest request = AllocationRequest.of(bytes, Owner.of("op" + random.nextInt(5), "t" + step))
        .withAlignment(256L << Math.max(0, random.nextInt(12) - 6));
      allocate(allocator, held, request, seed).ifPresent(block -> held.put(block.allocationId(), block));
      allocator.validate();
    }
    held.values().forEach(allocator::free);
  }

  /** Allocates, and if need be does what the report says first; a source that is too small can't be helped. */
  private Optional<Block> allocate(BfcAllocator allocator, Map<Long, Block> held, AllocationRequest request,
    int seed) {
    try {
      return Optional.of(allocator.allocate(request));
    } catch (OutOfMemory failure) {
      reasonsSeen.add(failure.reason());
      Optional<ReleasingSet> set = ReleasingSet.of(failure);
      if (set.isEmpty()) {
        assertThat(failure.reason()).isEqualTo(OutOfMemory.Reason.SOURCE_REFUSED);
        return Optional.empty();
      }
      releaseAsTold(allocator, held, set.get());
      // No block needs to be freed if the released regions are free already.
      assertThat(set.get().blockCount() > 0 || set.get().way() == ReleasingSet.Way.REGIONS).as(failure.getMessage())
        .isTrue();
      return afterRelease(allocator, held, request, seed, failure);
    }
  }

  private Optional<Block> afterRelease(BfcAllocator allocator, Map<Long, Block> held, AllocationRequest request,
    int seed, OutOfMemory first) {
    if (first.reason() == OutOfMemory.Reason.SOURCE_REFUSED || seed % 2 == 0) {
      return Optional.of(allocator.allocate(request));
    }
    // Only this request finds that the source is smaller than the limit.
    return allocate(allocator, held, request, seed);
  }

  private void releaseAsTold(BfcAllocator allocator, Map<Long, Block> held, ReleasingSet set) {
    waysSeen.add(set.way());
    set.blocks().map(MemoryMap.ChunkEntry::allocationId).toList().forEach(id -> free(allocator, held, id));
    if (set.way() == ReleasingSet.Way.REGIONS) {
      allocator.trim();
    }
  }

  private static void free(BfcAllocator allocator, Map<Long, Block> held, long id) {
    Block block = held.remove(id);
    assertThat(block).isNotNull();
    if (block != null) {
      allocator.free(block);
    }
  }
}
