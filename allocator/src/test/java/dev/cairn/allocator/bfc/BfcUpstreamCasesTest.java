package dev.cairn.allocator.bfc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.Validated;
import dev.cairn.allocator.bfc.BfcOptions.Growth;
import dev.cairn.allocator.source.FakeSubAllocator;
import dev.cairn.allocator.source.FaultySubAllocator;
import dev.cairn.allocator.source.NettySubAllocator;
import dev.cairn.allocator.source.SubAllocator;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the unit tests of TensorFlow's and XLA's allocators show, as behaviours of ours; each names its case. */
class BfcUpstreamCasesTest {
  @RegisterExtension
  final Validated validated = new Validated();

  enum Over {
    SCATTERED,
    CONTIGUOUS,
    HOST;

    SubAllocator source() {
      return switch (this) {
        case SCATTERED -> FakeSubAllocator.scattered(Long.MAX_VALUE);
        case CONTIGUOUS -> FakeSubAllocator.contiguous(Long.MAX_VALUE);
        case HOST -> new NettySubAllocator();
      };
    }
  }

  private BfcAllocator allocator(Over over, long limit, Growth growth) {
    BfcOptions options = BfcOptions.DEFAULT.withLimitBytes(limit).withGrowth(growth);
    return validated.watch(new BfcAllocator(over.source(), options));
  }

  private static void assertApart(List<Block> blocks) {
    List<Block> inOrder = new ArrayList<>(blocks);
    inOrder.sort(Comparator.comparingLong(Block::address));
    for (int i = 1; i < inOrder.size(); i++) {
      Block before = inOrder.get(i - 1);
      assertThat(inOrder.get(i).address()).isGreaterThanOrEqualTo(before.address() + before.requestedBytes());
    }
  }

  /** TensorFlow NoDups. */
  @ParameterizedTest
  @EnumSource
  void noTwoBlocksShareAByte(Over over) {
    BfcAllocator allocator = allocator(over, 1 << 30, Growth.WHOLE);
    List<Block> blocks = new ArrayList<>();
    for (int bytes = 1; bytes < 1024; bytes++) {
      blocks.add(allocator.allocate(bytes));
    }
    assertApart(blocks);
    AllocatorStats full = allocator.stats();
    assertThat(full.allocationCount()).isEqualTo(1023);
    assertThat(full.bytesInUse()).isEqualTo(654_336);
    assertThat(full.peakBytesInUse()).isEqualTo(654_336);
    assertThat(full.largestBytes()).isEqualTo(1024);
    blocks.forEach(allocator::free);
    AllocatorStats empty = allocator.stats();
    assertThat(empty.allocationCount()).isEqualTo(1023);
    assertThat(empty.bytesInUse()).isZero();
    assertThat(empty.peakBytesInUse()).isEqualTo(654_336);
    assertThat(empty.largestBytes()).isEqualTo(1024);
  }

  /** TensorFlow AllocationsAndDeallocations. */
  @ParameterizedTest
  @EnumSource
  void aRefusedRequestDoesNotHinderLaterOnes(Over over) {
    BfcAllocator allocator = allocator(over, 1 << 30, Growth.WHOLE);
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
    assertThat(allocator.tryGrant((1 << 30) + 1L)).isEqualTo(Block.NO_HANDLE);
    for (int i = 0; i < 255; i++) {
      kept.add(allocator.allocate(100 + random.nextInt((1 << 20) - 100)));
    }
    assertApart(kept);
  }

  /** TensorFlow ExerciseCoalescing. */
  @ParameterizedTest
  @EnumSource
  void freedNeighboursAreOneChunkAgain(Over over) {
    BfcAllocator allocator = allocator(over, 1 << 30, Growth.WHOLE);
    Block first = allocator.allocate(4096);
    allocator.free(first);
    long[] sizes = {4096, 8 << 20, 16 << 20, 40 << 20};
    for (int round = 0; round < 1024; round++) {
      List<Block> blocks = new ArrayList<>();
      for (long bytes : sizes) {
        blocks.add(allocator.allocate(bytes));
      }
      blocks.forEach(allocator::free);
    }
    AllocatorStats stats = allocator.stats();
    assertThat(stats.allocationCount()).isEqualTo(4097);
    assertThat(stats.bytesInUse()).isZero();
    assertThat(stats.peakBytesInUse()).isEqualTo(4096 + (64L << 20));
    assertThat(stats.largestBytes()).isEqualTo(41_943_040);
    assertThat(allocator.allocate(4096).address()).isEqualTo(first.address());
  }

  /** TensorFlow AllocatedVsRequested. */
  @ParameterizedTest
  @EnumSource
  void fourBytesTakeTwoHundredAndFiftySix(Over over) {
    Block block = allocator(over, 1 << 30, Growth.WHOLE).allocate(4);
    assertThat(block.requestedBytes()).isEqualTo(4);
    assertThat(block.bytes()).isEqualTo(256);
  }

  /** TensorFlow TestCustomMemoryLimit. */
  @ParameterizedTest
  @EnumSource
  void theLimitHolds(Over over) {
    BfcAllocator allocator = allocator(over, 2 << 20, Growth.WHOLE);
    assertThat(allocator.tryGrant(256)).isNotEqualTo(Block.NO_HANDLE);
    OutOfMemory failure = catchThrowableOfType(OutOfMemory.class, () -> allocator.allocate(8 << 20));
    assertThat(failure.reason()).isEqualTo(OutOfMemory.Reason.LIMIT);
    assertThat(failure.bytesShort()).isEqualTo((6 << 20) + 256);
  }

  /** TensorFlow AllocationsAndDeallocationsWithGrowth. */
  @ParameterizedTest
  @EnumSource
  void aGrowingPoolServesLargeAndSmall(Over over) {
    BfcAllocator allocator = allocator(over, 2L << 30, Growth.DOUBLING);
    Random random = new Random(9);
    List<Block> blocks = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      blocks.add(allocator.allocate(1 + random.nextInt(128 << 20)));
    }
    for (int i = 0; i < 4; i++) {
      allocator.free(blocks.remove(i));
    }
    for (int i = 0; i < 9; i++) {
      blocks.add(allocator.allocate(1 + random.nextInt(64 << 20)));
    }
    assertApart(blocks);
  }

  /** TensorFlow BinDebugInfo. */
  @Test
  void theMapShowsPairsOfEachSizeAndOneRest() {
    BfcAllocator allocator = allocator(Over.SCATTERED, 1 << 30, Growth.WHOLE);
    List<Block> blocks = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      blocks.add(allocator.allocate(256L << i));
      blocks.add(allocator.allocate(256L << i));
    }
    List<MemoryMap.ChunkEntry> chunks = allocator.memoryMap().chunks().toList();
    assertThat(chunks).hasSize(11);
    assertThat(chunks.subList(0, 10)).allMatch(MemoryMap.ChunkEntry::inUse)
      .extracting(MemoryMap.ChunkEntry::bytes)
      .containsExactly(256L, 256L, 512L, 512L, 1024L, 1024L, 2048L, 2048L, 4096L, 4096L);
    assertThat(chunks.getLast().inUse()).isFalse();
    assertThat(chunks.getLast().bytes()).isEqualTo((1 << 30) - 2 * (256 + 512 + 1024 + 2048 + 4096));
    for (int i = 0; i < 10; i += 2) {
      allocator.free(blocks.get(i));
    }
    assertThat(allocator.memoryMap().chunks().filter(MemoryMap.ChunkEntry::inUse))
      .extracting(MemoryMap.ChunkEntry::requestedBytes).containsExactly(256L, 512L, 1024L, 2048L, 4096L);
  }

  private static long[] fillAndFreeAllButTheLast(BfcAllocator allocator) {
    long[] handles = new long[128];
    for (int i = 0; i < 128; i++) {
      handles[i] = allocator.grant(4 << 20);
    }
    for (int i = 0; i < 127; i++) {
      allocator.release(handles[i]);
    }
    return handles;
  }

  /** TensorFlow VirtualAllocatorPromotesReuse. */
  @Test
  void adjoiningRegionsServeALargeRequest() {
    BfcAllocator allocator = allocator(Over.CONTIGUOUS, 512 << 20, Growth.DOUBLING);
    fillAndFreeAllButTheLast(allocator);
    assertThat(allocator.memoryMap().regions()).hasSize(1);
    assertThat(allocator.tryGrant(508 << 20)).isNotEqualTo(Block.NO_HANDLE);
  }

  /** TensorFlow PhysicalAllocatorOomsFragmentation. */
  @Test
  void scatteredRegionsDoNot() {
    BfcAllocator allocator = allocator(Over.SCATTERED, 512 << 20, Growth.DOUBLING);
    fillAndFreeAllButTheLast(allocator);
    OutOfMemory failure = catchThrowableOfType(OutOfMemory.class, () -> allocator.allocate(508 << 20, "large"));
    assertThat(failure.reason()).isEqualTo(OutOfMemory.Reason.FRAGMENTATION);
    assertThat(failure.memoryMap().regions().size()).isGreaterThan(1);
  }

  /** XLA AllocateAndFree. */
  @Test
  void aFreedBlockIsGrantedAgain() {
    BfcAllocator allocator = allocator(Over.SCATTERED, 1 << 20, Growth.DOUBLING);
    Block block = allocator.allocate(1000);
    assertThat(block.address()).isEqualTo(FakeSubAllocator.FIRST_ADDRESS);
    allocator.free(block);
    assertThat(allocator.allocate(1000).address()).isEqualTo(block.address());
  }

  /** XLA DefaultAlignment. */
  @ParameterizedTest
  @EnumSource
  void addressesAreAligned(Over over) {
    BfcAllocator allocator = allocator(over, 1 << 20, Growth.DOUBLING);
    for (long bytes : new long[] {1, 63, 64, 65, 255, 257, 4000}) {
      assertThat(allocator.allocate(bytes).address() % 256).isZero();
    }
  }

  /** XLA ExtendTerminatesWhenSubAllocatorAlwaysFails. */
  @Test
  void aSourceThatNeverGivesIsNotAskedForEver() {
    for (long limit : new long[] {256, 2048, 1 << 20, Long.MAX_VALUE}) {
      FaultySubAllocator source = new FaultySubAllocator(FakeSubAllocator.scattered(Long.MAX_VALUE),
        _ -> FaultySubAllocator.Fault.REFUSE);
      BfcAllocator allocator = validated.watch(
        new BfcAllocator(source, BfcOptions.DEFAULT.withLimitBytes(limit).withGrowth(Growth.WHOLE)));
      assertThat(allocator.tryGrant(1)).isEqualTo(Block.NO_HANDLE);
      assertThat(source.calls()).isBetween(1L, 1000L);
    }
  }

  /** XLA StressAllocFree. */
  @ParameterizedTest
  @EnumSource
  void anyOrderOfFreesLeavesOneChunk(Over over) {
    BfcAllocator allocator = allocator(over, 16 << 20, Growth.WHOLE);
    List<Long> sizes = new ArrayList<>();
    for (long bytes : new long[] {1, 100, 256, 1000, 4096, 10_000, 40_000}) {
      sizes.addAll(Collections.nCopies(50, bytes));
    }
    Random random = new Random(20);
    for (int shuffle = 0; shuffle < 20; shuffle++) {
      Collections.shuffle(sizes, random);
      List<Block> blocks = new ArrayList<>();
      for (long bytes : sizes) {
        blocks.add(allocator.allocate(bytes));
      }
      assertApart(blocks);
      Collections.shuffle(blocks, random);
      blocks.forEach(allocator::free);
      assertThat(allocator.memoryMap().chunks()).hasSize(1);
      assertThat(allocator.stats().largestFreeBytes()).isEqualTo(16 << 20);
    }
  }
}
