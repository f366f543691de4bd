package dev.cairn.allocator.bfc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.AllocationRequest.End;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.Validated;
import dev.cairn.allocator.source.FakeSubAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the unit tests of XLA's spatial partitioning show, over a pool with two ends; each names its case. */
class SpatialCasesTest {
  private static final long KIB = 1 << 10;
  private static final long MIB = 1 << 20;
  /** Where the pool begins: what is said of offsets is said from here. */
  private static final long BASE = FakeSubAllocator.FIRST_ADDRESS;
  private static final int OTHER_SEEDS = 31;

  @RegisterExtension
  final Validated validated = new Validated();

  private BfcAllocator pool(long bytes) {
    return pool(bytes, BfcOptions.DEFAULT.split());
  }

  private BfcAllocator pool(long bytes, SplitPolicy split) {
    return validated.watch(new BfcAllocator(FakeSubAllocator.scattered(bytes),
      BfcOptions.DEFAULT.withLimitBytes(bytes).withSplit(split).withTwoEnds()));
  }

  private static Block take(BfcAllocator from, long bytes, End end) {
    return from.allocate(AllocationRequest.of(bytes).at(end));
  }

  private static Block take(BfcAllocator from, long bytes, long alignment, End end) {
    return from.allocate(AllocationRequest.of(bytes).withAlignment(alignment).at(end));
  }

  private static boolean isRefused(BfcAllocator by, long bytes, End end) {
    try {
      by.free(take(by, bytes, end));
      return false;
    } catch (OutOfMemory e) {
      return true;
    }
  }

  private static End other(End end) {
    return end == End.LOWER ? End.UPPER : End.LOWER;
  }

  /** How far a block lies from its end of a pool of {@code poolBytes}. */
  private static long depth(Block block, long poolBytes, End end) {
    return end == End.LOWER ? block.address() - BASE : BASE + poolBytes - block.address() - block.bytes();
  }

  /** Blocks of these lengths from the end inward, one behind the other. */
  private static List<Block> row(BfcAllocator from, End end, long... bytes) {
    List<Block> blocks = new ArrayList<>();
    for (long one : bytes) {
      blocks.add(take(from, one, end));
    }
    return blocks;
  }

  private static List<Block> fill(BfcAllocator allocator, long bytes, End end) {
    List<Block> blocks = new ArrayList<>();
    try {
      while (true) {
        blocks.add(take(allocator, bytes, end));
      }
    } catch (OutOfMemory full) {
      return blocks;
    }
  }

  /** AllocatesFromEnds. */
  @Test
  void eachEndGrowsTowardTheOther() {
    BfcAllocator allocator = pool(64 * KIB);
    List<Block> lower = row(allocator, End.LOWER, 1024, 512);
    List<Block> upper = row(allocator, End.UPPER, 2048, 256);
    assertThat(lower).extracting(Block::address).containsExactly(BASE, BASE + 1024);
    assertThat(upper).extracting(Block::address).containsExactly(BASE + 64 * KIB - 2048, BASE + 64 * KIB - 2304);
  }

  /** AllocatesFromEnds: who names no end gets the lower. */
  @Test
  void whoNamesNoEndGetsTheLower() {
    BfcAllocator allocator = pool(64 * KIB);
    Block upper = take(allocator, 1024, End.UPPER);
    assertThat(allocator.allocate(1024).address()).isEqualTo(BASE);
    assertThat(allocator.addressOf(allocator.grant(1024))).isEqualTo(BASE + 1024);
    assertThat(upper.address()).isEqualTo(BASE + 63 * KIB);
  }

  /** KeepsUpperOffset, KeepsLowerOffset. */
  @ParameterizedTest
  @EnumSource(End.class)
  void whatTheOtherEndHoldsDoesNotMoveABlock(End end) {
    BfcAllocator allocator = pool(64 * KIB);
    Block alone = take(allocator, 4096, end);
    long address = alone.address();
    allocator.free(alone);
    row(allocator, other(end), 1024, 20 * KIB, 256);
    assertThat(take(allocator, 4096, end).address()).isEqualTo(address);
  }

  /** SkipsLowerHole, SkipsUpperHole: not even where the gap is too small. */
  @ParameterizedTest
  @EnumSource(End.class)
  void aHoleOfTheOtherEndIsPassedOver(End end) {
    BfcAllocator allocator = pool(16 * KIB);
    List<Block> others = row(allocator, other(end), 4096, 1024);
    allocator.free(others.getFirst());
    Block block = take(allocator, 4096, end);
    assertThat(depth(block, 16 * KIB, end)).isZero();
    List<Block> rest = fill(allocator, 1024, end);
    assertThat(rest).hasSize(7);
    assertThat(isRefused(allocator, 256, end)).isTrue();
    assertThat(depth(take(allocator, 4096, other(end)), 16 * KIB, other(end))).isZero();
  }

  /** LowerReclaimsGap, and its mirror. */
  @ParameterizedTest
  @EnumSource(End.class)
  void oneEndGrowsIntoWhatTheOtherGaveBack(End end) {
    BfcAllocator allocator = pool(16 * KIB);
    List<Block> others = row(allocator, other(end), 4096, 4096);
    take(allocator, 8192, end);
    assertThat(isRefused(allocator, 4096, end)).isTrue();
    // All is in use: what is freed at the boundary is the gap again.
    allocator.free(others.getLast());
    assertThat(depth(take(allocator, 4096, end), 16 * KIB, end)).isEqualTo(8192);
  }

  /** ReclaimsGap. */
  @ParameterizedTest
  @EnumSource(End.class)
  void whenAllIsFreeEitherEndMayHaveAll(End end) {
    BfcAllocator allocator = pool(64 * KIB);
    List<Block> blocks = row(allocator, End.LOWER, 1024, 4096, 256);
    blocks.addAll(row(allocator, End.UPPER, 512, 8192));
    for (int i : new int[] {1, 3, 0, 4, 2}) {
      allocator.free(blocks.get(i));
    }
    assertThat(take(allocator, 64 * KIB, end).address()).isEqualTo(BASE);
  }

  /** UpperAlignmentSuffix: what is cut off above the block serves the upper end. */
  @Test
  void whatAlignmentLeavesAboveIsAHoleOfTheUpperEnd() {
    BfcAllocator allocator = pool(64 * KIB);
    Block block = take(allocator, 1024, 4096, End.UPPER);
    assertThat(block.address()).isEqualTo(BASE + 60 * KIB);
    assertThat(block.bytes()).isEqualTo(1024);
    assertThat(take(allocator, 3072, End.LOWER).address()).isEqualTo(BASE);
    assertThat(take(allocator, 3072, End.UPPER).address()).isEqualTo(BASE + 61 * KIB);
  }

  /** LowerAlignmentPrefix: what is cut off below the block serves the lower end. */
  @Test
  void whatAlignmentLeavesBelowIsAHoleOfTheLowerEnd() {
    BfcAllocator allocator = pool(64 * KIB);
    take(allocator, 1024, End.LOWER);
    Block block = take(allocator, 1024, 4096, End.LOWER);
    assertThat(block.address()).isEqualTo(BASE + 4096);
    assertThat(take(allocator, 3072, End.UPPER).address()).isEqualTo(BASE + 61 * KIB);
    assertThat(take(allocator, 3072, End.LOWER).address()).isEqualTo(BASE + 1024);
  }

  /** UpperReclaimsAfterLowerFill, and its mirror. */
  @ParameterizedTest
  @EnumSource(End.class)
  void oneEndFillsAllAfterTheOtherDid(End end) {
    BfcAllocator allocator = pool(1024 * MIB);
    List<Block> others = fill(allocator, 32 * MIB, other(end));
    assertThat(others).hasSize(32);
    others.forEach(allocator::free);
    List<Block> blocks = fill(allocator, 32 * MIB, end);
    assertThat(blocks).hasSize(32);
    for (int i = 0; i < blocks.size(); i++) {
      assertThat(depth(blocks.get(i), 1024 * MIB, end)).isEqualTo(i * 32L * MIB);
    }
  }

  /** ReusesOwnHoles: before the gap is touched. */
  @ParameterizedTest
  @EnumSource(End.class)
  void aHoleServesItsOwnEndBeforeTheGapDoes(End end) {
    BfcAllocator allocator = pool(64 * KIB);
    List<Block> blocks = row(allocator, end, 1024, 2048, 1024);
    allocator.free(blocks.get(1));
    assertThat(depth(take(allocator, 2048, end), 64 * KIB, end)).isEqualTo(1024);
    assertThat(depth(take(allocator, 2048, end), 64 * KIB, end)).isEqualTo(4096);
  }

  /** UpperOffsetsStable, LowerOffsetsStable. */
  @ParameterizedTest
  @EnumSource(End.class)
  void noChurnAtTheOtherEndMovesAnOffset(End end) {
    List<Long> alone = offsets(end, 0, false);
    for (long seed = 1; seed <= OTHER_SEEDS; seed++) {
      assertThat(offsets(end, seed, true)).as("seed=%d", seed).isEqualTo(alone);
    }
  }

  /** Addresses of what one end is asked for, always the same, with calls at the other that follow from the seed. */
  private List<Long> offsets(End end, long seed, boolean churns) {
    BfcAllocator allocator = pool(MIB);
    Random fixed = new Random(17);
    Random churn = new Random(seed);
    List<Block> blocks = new ArrayList<>();
    List<Block> others = new ArrayList<>();
    List<Long> addresses = new ArrayList<>();
    for (int step = 0; step < 300; step++) {
      for (int calls = churns ? churn.nextInt(5) : 0; calls > 0; calls--) {
        step(allocator, others, churn, other(end));
      }
      step(allocator, blocks, fixed, end).ifPresent(block -> addresses.add(block.address() - BASE));
    }
    assertThat(addresses).hasSizeGreaterThan(100);
    allocator.validate();
    return addresses;
  }

  private static Optional<Block> step(BfcAllocator allocator, List<Block> held, Random random, End end) {
    // At most 24 blocks of 16 KiB and an alignment of 2 KiB: never more than half of the pool.
    if (held.size() < 24 && random.nextInt(10) < 6) {
      Block block = take(allocator, 1 + random.nextInt(16 << 10), 256L << random.nextInt(4), end);
      held.add(block);
      return Optional.of(block);
    }
    if (!held.isEmpty()) {
      allocator.free(held.remove(random.nextInt(held.size())));
    }
    return Optional.empty();
  }

  /** GapCarveSplitsExactlyAtBothEnds: whatever the split policy says of holes. */
  @ParameterizedTest
  @EnumSource(End.class)
  void theGapIsCutToTheByte(End end) {
    BfcAllocator allocator = pool(2048, SplitPolicy.doubleOrSlack(Long.MAX_VALUE));
    assertThat(take(allocator, 1280, end).bytes()).isEqualTo(1280);
    assertThat(take(allocator, 512, other(end)).bytes()).isEqualTo(512);
    assertThat(take(allocator, 256, end).bytes()).isEqualTo(256);
    assertThat(isRefused(allocator, 1, end)).isTrue();
  }

  /** HoleReuseKeepsSlackAtBothEnds. */
  @ParameterizedTest
  @EnumSource(End.class)
  void aHoleLessThanTwiceAsLongIsTakenWhole(End end) {
    BfcAllocator allocator = pool(64 * KIB);
    List<Block> blocks = row(allocator, end, 512, 1024, 512);
    allocator.free(blocks.get(1));
    Block block = take(allocator, 768, end);
    assertThat(block.bytes()).isEqualTo(1024);
    assertThat(block.requestedBytes()).isEqualTo(768);
    assertThat(block.address()).isEqualTo(blocks.get(1).address());
  }

  /** DefaultHoleOrderPreservesCoalescing: of equal holes the one far from the gap, so that the near one joins it. */
  @ParameterizedTest
  @EnumSource(End.class)
  void ofEqualHolesTheOneFarFromTheGapServes(End end) {
    BfcAllocator allocator = pool(16 * KIB);
    List<Block> blocks = row(allocator, end, 1024, 1024, 1024, 1024);
    // The near hole first, so that the order of frees has no say.
    allocator.free(blocks.get(2));
    allocator.free(blocks.get(0));
    assertThat(depth(take(allocator, 1024, end), 16 * KIB, end)).isZero();
    allocator.free(blocks.get(3));
    assertThat(allocator.stats().largestFreeBytes()).isEqualTo(14 * KIB);
    assertThat(depth(take(allocator, 14 * KIB, other(end)), 16 * KIB, other(end))).isZero();
  }

  /** CollectiveHoleRemainderRemainsUsable: collective buffers are those of the upper end. */
  @ParameterizedTest
  @EnumSource(End.class)
  void whatIsLeftOfAHoleServesItsEnd(End end) {
    BfcAllocator allocator = pool(64 * KIB);
    List<Block> blocks = row(allocator, end, 512, 4096, 512);
    allocator.free(blocks.get(1));
    assertThat(depth(take(allocator, 1024, end), 64 * KIB, end)).isEqualTo(512);
    assertThat(depth(take(allocator, 3072, end), 64 * KIB, end)).isEqualTo(1536);
    // And when all of it is free it is one hole again.
    BfcAllocator again = pool(64 * KIB);
    blocks = row(again, end, 512, 4096, 512);
    again.free(blocks.get(1));
    again.free(take(again, 1024, end));
    assertThat(depth(take(again, 4096, end), 64 * KIB, end)).isEqualTo(512);
  }

  /** HoleOrderKeepsBestFit: the length decides before the place. */
  @ParameterizedTest
  @EnumSource(End.class)
  void theSmallestHoleServesWhereverItLies(End end) {
    BfcAllocator allocator = pool(64 * KIB);
    List<Block> blocks = row(allocator, end, 4096, 256, 2048, 256, 1024, 256);
    allocator.free(blocks.get(0));
    allocator.free(blocks.get(2));
    allocator.free(blocks.get(4));
    assertThat(take(allocator, 1024, end).address()).isEqualTo(blocks.get(4).address());
    assertThat(take(allocator, 2048, end).address()).isEqualTo(blocks.get(2).address());
    assertThat(take(allocator, 4096, end).address()).isEqualTo(blocks.get(0).address());
  }

  /** DefaultGapLeavesCollectiveCapacity: the lower end takes no slack that the upper could have used. */
  @Test
  void theLowerEndLeavesTheUpperAllThatItDoesNotNeed() {
    BfcAllocator allocator = pool(8192);
    assertThat(take(allocator, 4864, End.LOWER).bytes()).isEqualTo(4864);
    assertThat(take(allocator, 3328, End.UPPER).address()).isEqualTo(BASE + 4864);
  }

  /** ExactHolePolicyAtBothEnds. */
  @ParameterizedTest
  @EnumSource(End.class)
  void anExactSplitLeavesTheRestOfAHole(End end) {
    BfcAllocator allocator = pool(64 * KIB, SplitPolicy.exact());
    List<Block> blocks = row(allocator, end, 512, 1024, 512);
    allocator.free(blocks.get(1));
    Block block = take(allocator, 768, end);
    assertThat(block.bytes()).isEqualTo(768);
    assertThat(depth(block, 64 * KIB, end)).isEqualTo(512);
    assertThat(depth(take(allocator, 256, end), 64 * KIB, end)).isEqualTo(1280);
  }

  /** UpperHoleAlignmentKeepsSlack: what lies above the aligned range is cut off, the slack below it is not. */
  @Test
  void anAlignedBlockInAnUpperHoleKeepsItsSlack() {
    BfcAllocator allocator = pool(64 * KIB);
    List<Block> blocks = row(allocator, End.UPPER, 256, 2048, 512);
    // The hole is from 2,304 to 256 bytes below the top.
    allocator.free(blocks.get(1));
    Block block = take(allocator, 1024, 512, End.UPPER);
    // From 512 below the top down to the lowest multiple of 512 in the hole.
    assertThat(block.address() % 512).isZero();
    assertThat(block.bytes()).isEqualTo(1536);
    assertThat(block.address()).isEqualTo(BASE + 64 * KIB - 2048);
    assertThat(take(allocator, 256, End.UPPER).address()).isEqualTo(BASE + 64 * KIB - 512);
  }

  /** UnderContention. */
  @Test
  void threadsAtBothEndsShareNoByte() throws Exception {
    BfcAllocator allocator = pool(64 * MIB);
    Threads.run(8, thread -> {
      Random random = new Random(thread);
      End end = thread % 2 == 0 ? End.LOWER : End.UPPER;
      List<Block> held = new ArrayList<>();
      for (int call = 0; call < 1000; call++) {
        if (held.size() < 32 && random.nextBoolean()) {
          held.add(take(allocator, 1 + random.nextInt(64 << 10), 256L << random.nextInt(3), end));
        } else if (!held.isEmpty()) {
          allocator.free(held.remove(random.nextInt(held.size())));
        }
      }
      CaseFixture.assertApart(held);
      held.forEach(allocator::free);
    });
    assertThat(allocator.stats().liveCount()).isZero();
    assertThat(allocator.stats().largestFreeBytes()).isEqualTo(64 * MIB);
  }
}
