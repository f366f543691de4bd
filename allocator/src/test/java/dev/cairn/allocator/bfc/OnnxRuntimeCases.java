package dev.cairn.allocator.bfc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.Gauge;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.SharedCounter;
import dev.cairn.allocator.bfc.BfcOptions.Growth;
import dev.cairn.allocator.source.FaultySubAllocator;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the unit tests of ONNX Runtime's arena show beyond those of TensorFlow; each names its case. */
interface OnnxRuntimeCases extends CaseFixture {
  /** The two messages of its refusals: the one for the limit, and the one for the device. */
  @Test
  default void aRefusalSaysWhatThereIsAndWhatWasAsked() {
    BfcAllocator limited = allocator(MIB, Growth.WHOLE);
    limited.grant(300 * KIB);
    OutOfMemory byLimit = catchThrowableOfType(OutOfMemory.class, () -> limited.grant(2 * MIB));
    assertThat(byLimit).hasMessageContainingAll("reason=limit", "requestedBytes=2097152", "limitBytes=1048576",
      "freeBytes=741376");
    FaultySubAllocator empty = new FaultySubAllocator(newSource(), _ -> FaultySubAllocator.Fault.REFUSE);
    BfcAllocator refused = over(empty, BfcOptions.DEFAULT);
    OutOfMemory bySource = catchThrowableOfType(OutOfMemory.class, () -> refused.grant(2 * MIB));
    assertThat(bySource).hasMessageContainingAll("reason=source-refused", "requestedBytes=2097152");
  }

  /** A limit of SIZE_MAX - 5 MiB under kSameAsRequested. */
  @Test
  default void aLimitNearTheLargestNumberDoesNotOverflow() {
    for (Growth growth : new Growth[] {Growth.AS_REQUESTED, Growth.DOUBLING}) {
      for (long limit : new long[] {Long.MAX_VALUE - 5 * MIB, Long.MAX_VALUE - 255, Long.MAX_VALUE}) {
        BfcAllocator allocator = allocator(limit, growth);
        long held = allocator.grant(KIB);
        assertThat(allocator.tryGrant(limit - 512)).isEqualTo(Block.NO_HANDLE);
        assertThat(allocator.stats().limitBytes()).isEqualTo(limit);
        long next = allocator.grant(3 * MIB);
        allocator.release(next);
        allocator.release(held);
        assertThat(allocator.trim()).isEqualTo(allocator.stats().pool().peak());
      }
    }
  }

  /** TestReserve. */
  @Test
  default void whatIsReservedIsPastThePool() {
    BfcAllocator allocator = allocator(BfcOptions.DEFAULT.withLimitBytes(GIB).withFirstRegionBytes(MIB));
    Block pooled = allocator.allocate(MIB);
    Block reserved = allocator.reserve(AllocationRequest.of(4 * MIB));
    AllocatorStats both = allocator.stats();
    assertThat(both.reserveCount()).isEqualTo(1);
    assertThat(both.bypass()).isEqualTo(Gauge.of(4 * MIB));
    assertThat(both.allocationCount()).isEqualTo(2);
    assertThat(both.poolBytes()).isEqualTo(5 * MIB);
    CaseFixture.assertApart(List.of(pooled, reserved));
    allocator.free(reserved);
    allocator.free(pooled);
    assertThat(allocator.stats().poolBytes()).isEqualTo(1_048_576);
    assertThat(allocator.stats().bytesInUse()).isZero();
    assertThat(allocator.stats().bypass()).isEqualTo(new Gauge(0, 4 * MIB, 4 * MIB));
  }

  @Test
  default void whatIsReservedCountsAgainstTheLimitAndIsNeverShared() {
    BfcAllocator allocator = allocator(4 * MIB, Growth.DOUBLING);
    Block reserved = allocator.reserve(AllocationRequest.of(1000));
    assertThat(reserved.bytes()).isEqualTo(1024);
    assertThat(CaseFixture.regionBytes(allocator)).containsExactly(1024L);
    OutOfMemory failure = catchThrowableOfType(OutOfMemory.class,
      () -> allocator.reserve(AllocationRequest.of(4 * MIB)));
    assertThat(failure.reason()).isEqualTo(OutOfMemory.Reason.LIMIT);
    Block pooled = allocator.allocate(1000);
    assertThat(CaseFixture.regionBytes(allocator)).containsExactlyInAnyOrder(1024L, 2 * MIB);
    assertThat(allocator.reserve(AllocationRequest.of(0)).isEmpty()).isTrue();
    assertThatIllegalArgumentException()
      .isThrownBy(() -> allocator.reserve(AllocationRequest.of(1000).withAlignment(512)));
    assertThatIllegalArgumentException()
      .isThrownBy(() -> allocator.reserve(AllocationRequest.of(1000).withFreedBefore(1)));
    allocator.free(reserved);
    assertThatIllegalArgumentException().isThrownBy(() -> allocator.free(reserved))
      .withMessageContaining("already freed");
    allocator.free(pooled);
  }

  /** TestShrink: "extensions" is the total of regions, "shrinkages" is what of it is gone. */
  @Test
  default void shrinkingGivesBackWhatIsIdle() {
    BfcAllocator allocator = allocator(GIB, Growth.AS_REQUESTED);
    Block small = allocator.allocate(KIB);
    Block large = allocator.allocate(10 * MIB);
    assertThat(allocator.trim()).isZero();
    allocator.free(small);
    // If regions merge, the small one is a part of a held region, and is released as a part.
    assertThat(allocator.trim()).isEqualTo(KIB);
    assertThat(allocator.stats().regions()).isEqualTo(new Gauge(1, 2, 2));
    assertThat(allocator.stats().poolBytes()).isEqualTo(10 * MIB);
    allocator.free(large);
    allocator.trim();
    assertThat(allocator.stats().regions()).isEqualTo(new Gauge(0, 2, 2));
    assertThat(allocator.stats().poolBytes()).isZero();
  }

  /** TestShrink under kNextPowerOfTwo: the next region is as long as the first. */
  @Test
  default void afterShrinkingGrowthBeginsAnew() {
    BfcAllocator allocator = allocator(GIB, Growth.DOUBLING);
    long[] handles = new long[15];
    for (int i = 0; i < handles.length; i++) {
      handles[i] = allocator.grant(MIB);
    }
    assertThat(allocator.stats().poolBytes()).isGreaterThan(15 * MIB - 1);
    for (long handle : handles) {
      allocator.release(handle);
    }
    allocator.trim();
    allocator.grant(MIB);
    assertThat(CaseFixture.regionBytes(allocator)).containsExactly(2 * MIB);
  }

  /** TestBackoffDoesntHang. */
  @Test
  default void backingOffEnds() {
    for (long bytes : new long[] {1, 256, 300, 2560, 5000}) {
      FaultySubAllocator source = new FaultySubAllocator(newSource(), _ -> FaultySubAllocator.Fault.REFUSE);
      BfcAllocator allocator = over(source, BfcOptions.DEFAULT.withLimitBytes(64 * KIB).withGrowth(Growth.WHOLE));
      assertThat(allocator.tryGrant(bytes)).isEqualTo(Block.NO_HANDLE);
      assertThat(source.calls()).isBetween(1L, 100L);
    }
  }

  /** TestExtendStrategy, kNextPowerOfTwo. */
  @Test
  default void eachExtensionIsTwiceTheOneBefore() {
    long unit = scaled(MIB);
    BfcAllocator allocator = allocator(BfcOptions.DEFAULT.withFirstRegionBytes(unit));
    long pool = 0;
    long extension = unit;
    for (int i = 0; i < 255; i++) {
      allocator.grant(unit);
      if (allocator.stats().poolBytes() != pool) {
        assertThat(allocator.stats().poolBytes() - pool).isEqualTo(extension);
        pool = allocator.stats().poolBytes();
        extension *= 2;
      }
    }
    assertThat(extension).isEqualTo(256 * unit);
  }

  /** TestExtendStrategy with a cap of 32 MiB for one extension. */
  @Test
  default void extensionsStayAtTheCapAndALargerRequestIsStillServed() {
    long unit = scaled(MIB);
    BfcAllocator allocator = allocator(
      BfcOptions.DEFAULT.withFirstRegionBytes(unit).withMaximumStepBytes(32 * unit));
    long pool = 0;
    long extension = unit;
    int atCap = 0;
    for (int i = 0; i < 159; i++) {
      allocator.grant(unit);
      if (allocator.stats().poolBytes() != pool) {
        assertThat(allocator.stats().poolBytes() - pool).isEqualTo(extension);
        pool = allocator.stats().poolBytes();
        atCap += extension == 32 * unit ? 1 : 0;
        extension = Math.min(32 * unit, extension * 2);
      }
    }
    assertThat(atCap).isGreaterThan(2);
    allocator.grant(64 * unit);
    assertThat(allocator.stats().poolBytes()).isEqualTo(pool + 64 * unit);
    allocator.grant(unit);
    assertThat(allocator.stats().poolBytes()).isEqualTo(pool + 64 * unit + 32 * unit);
  }

  /** TwoStreamAllocation: what one stream freed, the other has only when the frontier is past it. */
  @Test
  default void anotherStreamWaitsForWhatOneHasFreed() {
    SharedCounter clock = new SharedCounter();
    BfcAllocator allocator = allocator(
      BfcOptions.DEFAULT.withLimitBytes(MIB).withGrowth(Growth.WHOLE).withClock(clock));
    Block ofFirst = allocator.allocate(4096);
    long beforeFree = clock.next();
    allocator.free(ofFirst);
    AllocationRequest sameStream = AllocationRequest.of(4096);
    assertThat(allocator.allocate(sameStream).address()).isEqualTo(ofFirst.address());
    allocator.free(allocator.allocate(sameStream));
    Block ofSecond = allocator.allocate(sameStream.withFreedBefore(beforeFree));
    assertThat(ofSecond.address()).isNotEqualTo(ofFirst.address());
  }

  /** TestSecureTheChunk: after waiting for the other stream, its chunk serves. */
  @Test
  default void afterWaitingForTheOtherStreamItsChunkServes() {
    SharedCounter clock = new SharedCounter();
    BfcAllocator allocator = allocator(
      BfcOptions.DEFAULT.withLimitBytes(MIB).withGrowth(Growth.WHOLE).withClock(clock));
    AllocationRequest whole = AllocationRequest.of(MIB).withFreedBefore(clock.next());
    Block ofFirst = allocator.allocate(MIB);
    allocator.free(ofFirst);
    OutOfMemory failure = catchThrowableOfType(OutOfMemory.class, () -> allocator.allocate(whole));
    assertThat(failure.reason()).isEqualTo(OutOfMemory.Reason.TIME_HELD);
    allocator.setSafeFrontier(clock.now() + 1);
    assertThat(allocator.allocate(whole).address()).isEqualTo(ofFirst.address());
  }
}
