package dev.cairn.allocator.bfc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.SizeBins;
import dev.cairn.allocator.bfc.BfcOptions.Growth;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What the unit tests of TensorFlow's GPU allocator show, as behaviours of ours; each names its case. */
interface TensorFlowCases extends CaseFixture {
  /** NoDups. */
  @Test
  default void noTwoBlocksShareAByte() {
    BfcAllocator allocator = allocator(GIB, Growth.WHOLE);
    List<Block> blocks = new ArrayList<>();
    for (int bytes = 1; bytes < 1024; bytes++) {
      blocks.add(allocator.allocate(bytes));
    }
    CaseFixture.assertApart(blocks);
    assertFigures(allocator.stats(), 1023, 654_336, 654_336, 1024);
    blocks.forEach(allocator::free);
    assertFigures(allocator.stats(), 1023, 0, 654_336, 1024);
  }

  private static void assertFigures(AllocatorStats stats, long count, long inUse, long peak, long largest) {
    assertThat(stats.allocationCount()).isEqualTo(count);
    assertThat(stats.bytesInUse()).isEqualTo(inUse);
    assertThat(stats.peakBytesInUse()).isEqualTo(peak);
    assertThat(stats.largestBytes()).isEqualTo(largest);
  }

  /** AllocationsAndDeallocations. */
  @Test
  default void aRefusedRequestDoesNotHinderLaterOnes() {
    BfcAllocator allocator = allocator(GIB, Growth.WHOLE);
    Random random = new Random(255);
    List<Block> blocks = new ArrayList<>();
    for (int i = 0; i < 255; i++) {
      blocks.add(allocator.allocate(100 + random.nextInt((1 << 20) - 100)));
    }
    List<Block> kept = new ArrayList<>();
    for (int i = 0; i < blocks.size(); i++) {
      if (i % 2 == 0) {
        allocator.free(blocks.get(i));
      } else {
        kept.add(blocks.get(i));
      }
    }
    assertThat(allocator.tryGrant(GIB + 1)).isEqualTo(Block.NO_HANDLE);
    for (int i = 0; i < 255; i++) {
      kept.add(allocator.allocate(100 + random.nextInt((1 << 20) - 100)));
    }
    CaseFixture.assertApart(kept);
  }

  /** ExerciseCoalescing. */
  @Test
  default void freedNeighboursAreOneChunkAgain() {
    BfcAllocator allocator = allocator(GIB, Growth.WHOLE);
    Block first = allocator.allocate(4 * KIB);
    allocator.free(first);
    long[] sizes = {4 * KIB, 8 * MIB, 16 * KIB, 40 * MIB};
    for (int round = 0; round < 1024; round++) {
      List<Block> blocks = new ArrayList<>();
      for (long bytes : sizes) {
        blocks.add(allocator.allocate(bytes));
      }
      blocks.forEach(allocator::free);
    }
    assertFigures(allocator.stats(), 4097, 0, 20 * KIB + 48 * MIB, 41_943_040);
    assertThat(allocator.allocate(4 * KIB).address()).isEqualTo(first.address());
  }

  /** AllocateZeroBufSize: upstream's null is our empty block. */
  @Test
  default void noBytesTakeNothing() {
    BfcAllocator allocator = allocator(GIB, Growth.WHOLE);
    assertThat(allocator.allocate(0).isEmpty()).isTrue();
    assertThat(allocator.stats().poolBytes()).isZero();
  }

  /** TracksSizes and AllocatedVsRequested. */
  @Test
  default void fourBytesTakeTwoHundredAndFiftySix() {
    Block block = allocator(GIB, Growth.WHOLE).allocate(4);
    assertThat(block.requestedBytes()).isEqualTo(4);
    assertThat(block.bytes()).isEqualTo(256);
  }

  /** TestCustomMemoryLimit. */
  @Test
  default void theLimitHolds() {
    BfcAllocator allocator = allocator(2 * MIB, Growth.WHOLE);
    assertThat(allocator.tryGrant(256)).isNotEqualTo(Block.NO_HANDLE);
    OutOfMemory failure = catchThrowableOfType(OutOfMemory.class, () -> allocator.allocate(8 * MIB));
    assertThat(failure.reason()).isEqualTo(OutOfMemory.Reason.LIMIT);
    assertThat(failure.bytesShort()).isEqualTo(6 * MIB + 256);
  }

  /** AllocationsAndDeallocationsWithGrowth. */
  @Test
  default void aGrowingPoolServesLargeAndSmall() {
    BfcAllocator allocator = allocator(scaled(2 * GIB), Growth.DOUBLING);
    Random random = new Random(9);
    List<Block> blocks = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      blocks.add(allocator.allocate(1 + random.nextLong(scaled(128 * MIB))));
    }
    for (int i = 0; i < 4; i++) {
      allocator.free(blocks.remove(i));
    }
    for (int i = 0; i < 9; i++) {
      blocks.add(allocator.allocate(1 + random.nextLong(scaled(64 * MIB))));
    }
    CaseFixture.assertApart(blocks);
  }

  /** AllocatorReceivesZeroMemory, which upstream disabled. */
  @Test
  default void twoPoolsMayHaveLimitsThatNoMachineHas() {
    for (int i = 0; i < 2; i++) {
      BfcAllocator allocator = allocator(1L << 60, Growth.DOUBLING);
      allocator.free(allocator.allocate(MIB));
      assertThat(allocator.stats().limitBytes()).isEqualTo(1L << 60);
    }
  }

  /** BinDebugInfo. */
  @Test
  default void theMapShowsPairsOfEachSizeAndOneRest() {
    BfcAllocator allocator = allocator(GIB, Growth.WHOLE);
    List<Block> blocks = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      blocks.add(allocator.allocate(256L << i));
      blocks.add(allocator.allocate(256L << i));
    }
    List<MemoryMap.ChunkEntry> chunks = allocator.memoryMap().chunks().toList();
    assertThat(chunks).hasSize(11);
    for (int bin = 0; bin < 5; bin++) {
      int wanted = bin;
      assertThat(chunks).filteredOn(chunk -> SizeBins.binOf(chunk.bytes()) == wanted).hasSize(2)
        .allMatch(chunk -> chunk.inUse() && chunk.bytes() == 256L << wanted && chunk.requestedBytes() == chunk.bytes());
    }
    assertThat(chunks).filteredOn(chunk -> SizeBins.binOf(chunk.bytes()) == SizeBins.BINS - 1)
      .singleElement().matches(chunk -> !chunk.inUse());
    for (int i = 0; i < 10; i += 2) {
      allocator.free(blocks.get(i));
    }
    assertThat(allocator.memoryMap().chunks().filter(MemoryMap.ChunkEntry::inUse))
      .extracting(MemoryMap.ChunkEntry::requestedBytes).containsExactly(256L, 512L, 1024L, 2048L, 4096L);
    assertThat(allocator.stats().freeSplits().current()).isEqualTo(6);
    assertThat(allocator.stats().freeSplitBytes().current()).isEqualTo(GIB - 256 * 31);
  }

  /** ForceAllowGrowth; environment variables are not the allocator's business. */
  @Test
  default void growthIsAnOption() {
    BfcAllocator growing = allocator(scaled(GIB), Growth.DOUBLING);
    growing.grant(1);
    assertThat(growing.stats().poolBytes()).isEqualTo(2 * MIB);
    BfcAllocator whole = allocator(scaled(GIB), Growth.WHOLE);
    whole.grant(1);
    assertThat(whole.stats().poolBytes()).isEqualTo(scaled(GIB));
  }

  private long[] filled(BfcAllocator allocator) {
    long[] handles = new long[128];
    for (int i = 0; i < 128; i++) {
      handles[i] = allocator.grant(scaled(4 * MIB));
    }
    return handles;
  }

  private void freeAllButTheLast(BfcAllocator allocator, long[] handles) {
    for (int i = 0; i < handles.length - 1; i++) {
      allocator.release(handles[i]);
    }
  }

  /** VirtualAllocatorPromotesReuse where regions merge, PhysicalAllocatorOomsFragmentation where they don't. */
  @Test
  default void aLargeRequestIsServedAfterManySmallOnesWhereRegionsMerge() {
    BfcAllocator allocator = allocator(scaled(512 * MIB), Growth.DOUBLING);
    freeAllButTheLast(allocator, filled(allocator));
    if (newSource().supportsCoalescing()) {
      assertThat(allocator.memoryMap().regions()).hasSize(1);
      assertThat(allocator.allocate(scaled(508 * MIB)).bytes()).isEqualTo(scaled(508 * MIB));
      return;
    }
    OutOfMemory failure = catchThrowableOfType(OutOfMemory.class, () -> allocator.allocate(scaled(508 * MIB), "large"));
    assertThat(failure.reason()).isEqualTo(OutOfMemory.Reason.FRAGMENTATION);
    assertThat(failure.memoryMap().regions().size()).isGreaterThan(1);
  }

  /** TestRegionDeallocation where regions don't merge, TestNoRegionDeallocation where they do. */
  @Test
  default void onlyRegionsWithoutBlocksAreGivenBack() {
    BfcAllocator allocator = allocator(
      BfcOptions.DEFAULT.withLimitBytes(scaled(2 * GIB)).withFirstRegionBytes(scaled(2 * MIB)));
    freeAllButTheLast(allocator, filled(allocator));
    boolean merges = newSource().supportsCoalescing();
    assertThat(allocator.memoryMap().regions().size() > 1).isEqualTo(!merges);
    // If regions merge, there is one region, which upstream keeps whole. Here its free parts are released.
    assertThat(allocator.trim()).isPositive();
    assertThat(allocator.memoryMap().regions()).hasSize(1);
    assertThat(CaseFixture.freeBytes(allocator)).hasSizeBetween(1, merges ? 2 : 1);
    assertThat(allocator.stats().freeSplits().current()).isEqualTo(CaseFixture.freeBytes(allocator).size());
  }
}
