package dev.cairn.allocator.bfc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cairn.allocator.Block;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.SharedCounter;
import dev.cairn.allocator.TrimPolicy;
import dev.cairn.allocator.bfc.BfcOptions.Growth;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Idle regions given back for the sake of a request, or on demand: upstream has no test of the two together. */
interface CollectionCases extends CaseFixture {
  /** Three regions of 1, 2 and 4 MiB, each held by one block, under a limit of 8 MiB. */
  private Block[] threeRegions(BfcAllocator allocator) {
    return new Block[] {allocator.allocate(MIB), allocator.allocate(2 * MIB), allocator.allocate(4 * MIB)};
  }

  private BfcAllocator collecting(boolean collects) {
    return allocator(BfcOptions.DEFAULT.withLimitBytes(8 * MIB).withGrowth(Growth.AS_REQUESTED)
      .withCollection(collects ? BfcOptions.Collection.AT_THE_LIMIT : BfcOptions.Collection.NEVER));
  }

  @Test
  default void idleRegionsAreGivenBackForARequestThatThenFits() {
    BfcAllocator allocator = collecting(true);
    Block[] blocks = threeRegions(allocator);
    allocator.free(blocks[0]);
    allocator.free(blocks[1]);
    allocator.free(blocks[2]);
    Block large = allocator.allocate(6 * MIB);
    assertThat(large.bytes()).isBetween(6 * MIB, 7 * MIB);
    if (!newSource().supportsCoalescing()) {
      assertThat(CaseFixture.regionBytes(allocator)).containsExactly(6 * MIB);
      assertThat(allocator.stats().regions().total()).isEqualTo(4);
    }
  }

  @Test
  default void withoutTheOptionTheSameRequestFails() {
    if (newSource().supportsCoalescing()) {
      return;
    }
    BfcAllocator allocator = collecting(false);
    for (Block block : threeRegions(allocator)) {
      allocator.free(block);
    }
    OutOfMemory failure = catchThrowableOfType(OutOfMemory.class, () -> allocator.allocate(6 * MIB));
    assertThat(failure.reason()).isEqualTo(OutOfMemory.Reason.FRAGMENTATION);
    assertThat(allocator.stats().poolBytes()).isEqualTo(7 * MIB);
    allocator.trim();
    assertThat(allocator.allocate(6 * MIB).bytes()).isEqualTo(6 * MIB);
  }

  @Test
  default void nothingIsGivenBackWhenThatWouldNotDo() {
    BfcAllocator allocator = collecting(true);
    Block[] blocks = threeRegions(allocator);
    allocator.free(blocks[0]);
    allocator.free(blocks[1]);
    assertThat(allocator.tryGrant(6 * MIB)).isEqualTo(Block.NO_HANDLE);
    assertThat(allocator.stats().poolBytes()).isEqualTo(7 * MIB);
    assertThat(allocator.stats().regions().current()).isEqualTo(3);
  }

  @Test
  default void whatWaitsForATimeIsNotGivenBack() {
    SharedCounter clock = new SharedCounter();
    BfcAllocator allocator = allocator(BfcOptions.DEFAULT.withLimitBytes(8 * MIB).withGrowth(Growth.AS_REQUESTED)
      .withCollection(BfcOptions.Collection.AT_THE_LIMIT).withClock(clock));
    for (Block block : threeRegions(allocator)) {
      allocator.free(block);
    }
    if (!newSource().supportsCoalescing()) {
      assertThat(allocator.tryGrant(6 * MIB)).isEqualTo(Block.NO_HANDLE);
    }
    assertThat(allocator.stats().poolBytes()).isEqualTo(7 * MIB);
    allocator.setSafeFrontier(clock.now() + 1);
    assertThat(allocator.tryGrant(6 * MIB)).isNotEqualTo(Block.NO_HANDLE);
  }

  @Test
  default void collectingAgainAndAgainKeepsThePoolWithinTheLimit() {
    BfcAllocator allocator = collecting(true);
    for (int round = 0; round < 100; round++) {
      long bytes = (1 + round % 7) * MIB + round * 256L;
      allocator.free(allocator.allocate(bytes));
      allocator.validate();
      assertThat(allocator.stats().poolBytes()).isBetween(bytes, 8 * MIB);
    }
  }

  @Test
  default void theLongestIdleGoFirstAndEnoughIsKept() {
    if (newSource().supportsCoalescing()) {
      return;
    }
    BfcAllocator allocator = collecting(false);
    Block[] blocks = threeRegions(allocator);
    allocator.free(blocks[2]);
    allocator.free(blocks[0]);
    allocator.free(blocks[1]);
    // 7 MiB are free: 4 of them go, then 1, and then 2 would leave too little.
    assertThat(allocator.trim(new TrimPolicy(2 * MIB, Duration.ZERO))).isEqualTo(5 * MIB);
    assertThat(CaseFixture.regionBytes(allocator)).containsExactly(2 * MIB);
    assertThat(allocator.trim(new TrimPolicy(2 * MIB, Duration.ZERO))).isZero();
    assertThat(allocator.trim()).isEqualTo(2 * MIB);
  }

  @Test
  default void whatIsNotKnownToBeIdleLongEnoughStays() {
    BfcAllocator allocator = collecting(false);
    allocator.free(allocator.allocate(MIB));
    assertThat(allocator.trim(new TrimPolicy(0, Duration.ofDays(1)))).isZero();
    assertThat(allocator.trim(new TrimPolicy(0, Duration.ofDays(1)))).isZero();
    assertThat(allocator.trim()).isEqualTo(MIB);
  }

  @Test
  default void aHeldChunkKeepsItsRegion() {
    BfcAllocator allocator = allocator(8 * MIB, Growth.WHOLE);
    Block held = allocator.allocate(256);
    allocator.free(allocator.allocate(4 * MIB));
    assertThat(allocator.trim()).isZero();
    allocator.free(held);
    assertThat(allocator.trim()).isEqualTo(8 * MIB);
  }
}
