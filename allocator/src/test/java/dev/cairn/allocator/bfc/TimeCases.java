package dev.cairn.allocator.bfc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.SharedCounter;
import dev.cairn.allocator.bfc.BfcOptions.Growth;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Frees that are stamped with a time, of which upstream has no test: stamps, the safe frontier, merges, demands. */
interface TimeCases extends CaseFixture {
  /** A pool of {@code chunks} KiB, cut exactly, with frees stamped by {@code clock}. */
  private BfcAllocator timed(SharedCounter clock, long kib) {
    return allocator(BfcOptions.DEFAULT.withLimitBytes(kib * KIB).withGrowth(Growth.WHOLE)
      .withSplit(SplitPolicy.exact()).withClock(clock));
  }

  private static Block[] filled(BfcAllocator allocator, int kib) {
    Block[] blocks = new Block[kib];
    for (int i = 0; i < kib; i++) {
      blocks[i] = allocator.allocate(KIB);
    }
    return blocks;
  }

  @Test
  default void eachFreeIsStampedWithTheNextTimeAndStaysApart() {
    SharedCounter clock = new SharedCounter();
    BfcAllocator allocator = timed(clock, 4);
    Block[] blocks = filled(allocator, 4);
    allocator.free(blocks[2]);
    clock.next();
    allocator.free(blocks[1]);
    allocator.free(blocks[0]);
    assertThat(CaseFixture.freeTimes(allocator)).containsExactly(4L, 3L, 1L);
    assertThat(CaseFixture.freeBytes(allocator)).containsExactly(KIB, KIB, KIB);
    assertThat(allocator.stats().timeHeldBytes()).isEqualTo(3 * KIB);
    assertThat(allocator.stats().freeSplits().current()).isEqualTo(3);
  }

  @Test
  default void aChunkMergesWhenItsStampIsBelowTheFrontierNotAtIt() {
    SharedCounter clock = new SharedCounter();
    BfcAllocator allocator = timed(clock, 4);
    Block[] blocks = filled(allocator, 4);
    allocator.free(blocks[0]);
    allocator.free(blocks[1]);
    allocator.free(blocks[2]);
    allocator.setSafeFrontier(3);
    assertThat(allocator.stats().timeHeldBytes()).isEqualTo(KIB);
    long any = allocator.grant(KIB);
    assertThat(allocator.addressOf(any)).isEqualTo(blocks[2].address());
    assertThat(CaseFixture.freeBytes(allocator)).containsExactly(2 * KIB);
    assertThat(CaseFixture.freeTimes(allocator)).containsExactly(0L);
    assertThat(allocator.stats().timeHeldBytes()).isZero();
  }

  @Test
  default void aFrontierThatGoesBackSaysNothing() {
    SharedCounter clock = new SharedCounter();
    BfcAllocator allocator = timed(clock, 2);
    Block[] blocks = filled(allocator, 2);
    allocator.setSafeFrontier(10);
    allocator.setSafeFrontier(1);
    allocator.free(blocks[0]);
    allocator.free(blocks[1]);
    assertThat(allocator.allocate(AllocationRequest.of(2 * KIB).withFreedBefore(1)).bytes()).isEqualTo(2 * KIB);
  }

  @Test
  default void aMergedChunkTakesTheLaterStamp() {
    SharedCounter clock = new SharedCounter();
    BfcAllocator allocator = timed(clock, 4);
    Block[] blocks = filled(allocator, 4);
    allocator.free(blocks[1]);
    allocator.free(blocks[0]);
    // The chunks are long enough only together; the rest of them keeps the time.
    Block across = allocator.allocate(KIB + 256);
    assertThat(across.address()).isEqualTo(blocks[0].address());
    assertThat(CaseFixture.freeTimes(allocator)).containsExactly(2L);
    assertThat(CaseFixture.freeBytes(allocator)).containsExactly(768L);
    allocator.setSafeFrontier(2);
    allocator.trim();
    assertThat(CaseFixture.freeTimes(allocator)).containsExactly(2L);
    allocator.setSafeFrontier(3);
    allocator.trim();
    assertThat(CaseFixture.freeTimes(allocator)).containsExactly(0L);
  }

  @Test
  default void oldestFirstAndNoMoreThanNeededIsMergedByForce() {
    SharedCounter clock = new SharedCounter();
    BfcAllocator allocator = timed(clock, 8);
    Block[] blocks = filled(allocator, 8);
    for (int i : new int[] {5, 6, 0, 1, 3}) {
      allocator.free(blocks[i]);
    }
    Block forced = allocator.allocate(2 * KIB);
    assertThat(forced.address()).isEqualTo(blocks[5].address());
    assertThat(CaseFixture.freeBytes(allocator)).containsExactly(KIB, KIB, KIB);
    assertThat(CaseFixture.freeTimes(allocator)).containsExactly(3L, 4L, 5L);
  }

  @Test
  default void growingIsPreferredToMergingByForce() {
    SharedCounter clock = new SharedCounter();
    BfcAllocator allocator = allocator(BfcOptions.DEFAULT.withGrowth(Growth.AS_REQUESTED).withClock(clock));
    Block first = allocator.allocate(2 * KIB);
    allocator.free(first);
    Block[] halves = {allocator.allocate(KIB), allocator.allocate(KIB)};
    allocator.free(halves[0]);
    allocator.free(halves[1]);
    allocator.allocate(2 * KIB);
    assertThat(allocator.stats().poolBytes()).isEqualTo(4 * KIB);
  }

  @Test
  default void aDemandOnTimeIsMetByOldChunksOnly() {
    SharedCounter clock = new SharedCounter();
    BfcAllocator allocator = timed(clock, 4);
    Block[] blocks = filled(allocator, 4);
    allocator.free(blocks[3]);
    allocator.free(blocks[1]);
    AllocationRequest before = AllocationRequest.of(KIB).withFreedBefore(1);
    assertThat(allocator.allocate(before).address()).isEqualTo(blocks[3].address());
    OutOfMemory failure = catchThrowableOfType(OutOfMemory.class, () -> allocator.allocate(before));
    assertThat(failure.reason()).isEqualTo(OutOfMemory.Reason.TIME_HELD);
    assertThat(failure.bytesShort()).isEqualTo(KIB);
    assertThat(failure).hasMessageContaining("reason=time-held");
    assertThat(allocator.allocate(before.withFreedBefore(2)).address()).isEqualTo(blocks[1].address());
  }

  @Test
  default void aDemandOnTimeNeverMergesByForce() {
    SharedCounter clock = new SharedCounter();
    BfcAllocator allocator = timed(clock, 2);
    Block[] blocks = filled(allocator, 2);
    allocator.free(blocks[0]);
    allocator.free(blocks[1]);
    AllocationRequest both = AllocationRequest.of(2 * KIB).withFreedBefore(clock.now());
    OutOfMemory failure = catchThrowableOfType(OutOfMemory.class, () -> allocator.allocate(both));
    assertThat(failure.memoryMap().chunkCount()).isEqualTo(2);
    assertThat(allocator.allocate(2 * KIB).address()).isEqualTo(blocks[0].address());
  }

  @Test
  default void theFreshRestOfThePoolMeetsAnyDemand() {
    SharedCounter clock = new SharedCounter();
    BfcAllocator allocator = timed(clock, 4);
    Block block = allocator.allocate(KIB);
    allocator.free(block);
    Block fresh = allocator.allocate(AllocationRequest.of(KIB).withFreedBefore(AllocationRequest.ANY_TIME + 1)
      .withAlignment(256));
    // The chunk was freed at 1, the demanded time, and is granted again since it fits best.
    assertThat(fresh.address()).isEqualTo(block.address());
    allocator.free(fresh);
    assertThat(allocator.allocate(AllocationRequest.of(KIB).withFreedBefore(1)).address())
      .isEqualTo(block.address() + KIB);
  }

  /** A cut for alignment leaves two chunks with one stamp; the row of one, used again, must not be counted twice. */
  @Test
  default void aStampThatTwoChunksHaveIsWaitedForOnce() {
    for (long seed = 0; seed < 60; seed++) {
      Random random = new Random(seed);
      BfcAllocator allocator = timed(new SharedCounter(), 64);
      List<Block> blocks = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        AllocationRequest request = AllocationRequest.of(1 + random.nextInt(12) * KIB)
          .withAlignment(1L << (8 + random.nextInt(6)));
        try {
          blocks.add(allocator.allocate(request));
        } catch (OutOfMemory full) {
          allocator.free(blocks.remove(random.nextInt(blocks.size())));
        }
        if (i % 3 == 0) {
          allocator.free(blocks.remove(random.nextInt(blocks.size())));
        }
        allocator.validate();
        long held = allocator.memoryMap().chunks().filter(chunk -> chunk.freedAt() > 0)
          .mapToLong(MemoryMap.ChunkEntry::bytes).sum();
        assertThat(allocator.stats().timeHeldBytes()).isEqualTo(held);
      }
    }
  }

  @Test
  default void aRefusalAfterAMergeLeavesTheFiguresRight() {
    SharedCounter clock = new SharedCounter();
    BfcAllocator allocator = timed(clock, 4);
    Block[] blocks = filled(allocator, 4);
    allocator.free(blocks[0]);
    allocator.free(blocks[1]);
    allocator.setSafeFrontier(clock.now() + 1);
    assertThat(allocator.tryGrant(3 * KIB)).isEqualTo(Block.NO_HANDLE);
    allocator.validate();
    assertThat(allocator.stats().freeSplits().current()).isEqualTo(1);
  }

  @Test
  default void trimGivesBackWhatHasBecomeSafe() {
    SharedCounter clock = new SharedCounter();
    BfcAllocator allocator = timed(clock, 4);
    for (Block block : filled(allocator, 4)) {
      allocator.free(block);
    }
    assertThat(allocator.trim()).isZero();
    allocator.setSafeFrontier(clock.now());
    assertThat(allocator.trim()).isZero();
    allocator.setSafeFrontier(clock.now() + 1);
    assertThat(allocator.trim()).isEqualTo(4 * KIB);
  }

  @Test
  default void closingNeedsNoFrontier() {
    BfcAllocator allocator = timed(new SharedCounter(), 4);
    for (Block block : filled(allocator, 4)) {
      allocator.free(block);
    }
    allocator.close();
    assertThat(allocator.stats().poolBytes()).isZero();
  }

  @Test
  default void whatIsReservedGoesBackWithoutATime() {
    SharedCounter clock = new SharedCounter();
    BfcAllocator allocator = timed(clock, 4);
    allocator.free(allocator.reserve(AllocationRequest.of(KIB)));
    assertThat(clock.now()).isZero();
    assertThat(allocator.stats().poolBytes()).isZero();
  }
}
