package dev.cairn.allocator.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.SharedCounter;
import dev.cairn.allocator.TrimPolicy;
import dev.cairn.allocator.Validated;
import dev.cairn.allocator.source.FakeSubAllocator;
import dev.cairn.allocator.source.NettySubAllocator;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is peculiar to the pool: pressure, time, idleness, alignment. */
class PooledStorageManagerTest {
  private static final long MIB = 1L << 20;

  @RegisterExtension
  final Validated validated = new Validated();
  private final FakeSubAllocator source = FakeSubAllocator.scattered(Long.MAX_VALUE);
  private final SharedCounter counter = new SharedCounter();

  private PooledStorageManager pool(long limitBytes) {
    return validated.watch(new PooledStorageManager(source, Rounding.powerOfTwo(),
      StorageOptions.UNLIMITED.withLimitBytes(limitBytes)));
  }

  private PooledStorageManager timed(long limitBytes) {
    return validated.watch(new PooledStorageManager(source, Rounding.powerOfTwo(),
      StorageOptions.UNLIMITED.withLimitBytes(limitBytes), AllocationListener.silent(), counter));
  }

  @Test
  void anEmptyPoolCouldNotMeetItSoThePoolStays() {
    PooledStorageManager pool = pool(8 * MIB);
    Block kept = pool.allocate(4 * MIB);
    pool.free(pool.allocate(MIB));
    OutOfMemory failure = catchThrowableOfType(OutOfMemory.class, () -> pool.allocate(5 * MIB));
    assertThat(failure.reason()).isEqualTo(OutOfMemory.Reason.LIMIT);
    assertThat(failure.roundedBytes()).isEqualTo(8 * MIB);
    assertThat(failure.bytesShort()).isEqualTo(4 * MIB);
    assertThat(failure.memoryMap().chunkCount()).isEqualTo(2);
    assertThat(pool.stats().poolBytes()).isEqualTo(5 * MIB);
    assertThat(pool.stats().refusalCount()).isOne();
    pool.free(kept);
  }

  @Test
  void whatLiesIdleGoesBackForARequestOfAnotherLength() {
    PooledStorageManager pool = pool(8 * MIB);
    for (int i = 0; i < 100; i++) {
      pool.free(pool.allocate(1 + i * 80_000L));
      assertThat(pool.stats().poolBytes()).isLessThanOrEqualTo(8 * MIB);
    }
    assertThat(pool.stats().allocationCount()).isEqualTo(100);
  }

  @Test
  void alignmentBeyondTheSourcesTakesALongerRegion() {
    PooledStorageManager pool = pool(Long.MAX_VALUE);
    for (long alignment = 1; alignment <= 1L << 30; alignment <<= 1) {
      Block block = pool.allocate(AllocationRequest.of(3000).withAlignment(alignment));
      assertThat(block.address() % alignment).isZero();
      assertThat(block.bytes()).isGreaterThanOrEqualTo(3000);
      AllocatorStats stats = pool.stats();
      assertThat(stats.bytesInUse()).isEqualTo(block.bytes());
      assertThat(stats.freeBytes()).isGreaterThanOrEqualTo(stats.largestFreeBytes());
      MemoryMap map = pool.memoryMap();
      assertThat(map.chunks().mapToLong(MemoryMap.ChunkEntry::bytes).sum()).isEqualTo(stats.poolBytes());
      pool.validate();
      pool.free(block);
      Block again = pool.allocate(AllocationRequest.of(2999).withAlignment(alignment));
      assertThat(again.address()).isEqualTo(block.address());
      pool.freeDirectly(again);
    }
    assertThat(pool.stats().freeSplits().total()).isPositive();
    assertThat(pool.stats().freeSplitBytes().current()).isZero();
    assertThatThrownBy(() -> pool.allocate(AllocationRequest.of(1).withAlignment(1L << 62)))
      .isInstanceOf(OutOfMemory.class);
  }

  @Test
  void alignedHostBlocksHaveTheirOwnSegment() {
    PooledStorageManager pool = validated.watch(new PooledStorageManager(new NettySubAllocator(), Rounding.naive(),
      StorageOptions.UNLIMITED));
    for (int i = 0; i < 20; i++) {
      Block block = pool.allocate(AllocationRequest.of(10_000).withAlignment(4096));
      assertThat(block.segment().address()).isEqualTo(block.address());
      assertThat(block.address() % 4096).isZero();
      assertThat(block.segment().byteSize()).isEqualTo(10_000);
      block.segment().fill((byte) i);
      pool.free(block);
    }
    assertThat(pool.stats().regions().total()).isOne();
    pool.close();
  }

  @Test
  void aDemandOnTimeIsMetByMemoryFreedInTimeOrNew() {
    PooledStorageManager pool = timed(Long.MAX_VALUE);
    Block early = pool.allocate(1000);
    Block late = pool.allocate(1000);
    pool.free(early);
    long between = counter.now();
    pool.free(late);
    assertThat(pool.stats().timeHeldBytes()).isEqualTo(8192);
    Block first = pool.allocate(AllocationRequest.of(1000).withFreedBefore(between));
    assertThat(first.address()).isEqualTo(early.address());
    Block second = pool.allocate(AllocationRequest.of(1000).withFreedBefore(between));
    assertThat(second.address()).isNotIn(early.address(), late.address());
    Block third = pool.allocate(1000);
    assertThat(third.address()).isEqualTo(late.address());
    pool.free(first);
    pool.free(second);
    pool.free(third);
  }

  @Test
  void theSafeFrontierFreesForAllWhatWasFreedBeforeIt() {
    PooledStorageManager pool = timed(Long.MAX_VALUE);
    Block block = pool.allocate(1000);
    pool.free(block);
    AllocationRequest demanding = AllocationRequest.of(1000).withFreedBefore(1);
    long freedAt = counter.now();
    counter.next();
    pool.passSafeFrontier(freedAt);
    assertThat(pool.stats().timeHeldBytes()).isEqualTo(4096);
    assertThat(pool.memoryMap().freedAt(0)).isEqualTo(freedAt);
    pool.passSafeFrontier(freedAt + 1);
    pool.passSafeFrontier(0);
    assertThat(pool.stats().timeHeldBytes()).isZero();
    assertThat(pool.memoryMap().freedAt(0)).isZero();
    Block again = pool.allocate(demanding);
    assertThat(again.address()).isEqualTo(block.address());
    pool.free(again);
  }

  @Test
  void whatAStreamMayStillUseStaysUntilItsTimeHasPassed() {
    PooledStorageManager pool = timed(8 * MIB);
    pool.free(pool.allocate(8 * MIB));
    long freedAt = counter.now();
    assertThat(pool.trim()).isZero();
    AllocationRequest demanding = AllocationRequest.of(8 * MIB).withFreedBefore(freedAt);
    pool.free(pool.allocate(demanding));
    OutOfMemory failure = catchThrowableOfType(OutOfMemory.class, () -> pool.allocate(demanding));
    assertThat(failure.reason()).isEqualTo(OutOfMemory.Reason.TIME_HELD);
    assertThatThrownBy(() -> pool.allocate(MIB)).isInstanceOf(OutOfMemory.class);
    pool.passSafeFrontier(counter.next());
    Block small = pool.allocate(MIB);
    assertThat(pool.stats().poolBytes()).isEqualTo(MIB);
    pool.free(small);
    pool.close();
    assertThat(source.heldBytes()).isZero();
  }

  @Test
  void withoutACounterThereIsNoTime() {
    PooledStorageManager pool = pool(Long.MAX_VALUE);
    assertThatIllegalArgumentException().isThrownBy(
      () -> pool.allocate(AllocationRequest.of(1).withFreedBefore(4))).withMessageContaining("freedBefore=4");
    assertThatIllegalStateException().isThrownBy(() -> pool.passSafeFrontier(4)).withMessageContaining("time=4");
  }

  @Test
  void theLongestIdleGoFirstAndOnlyAsThePolicySays() {
    AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);
    PooledStorageManager pool = validated.watch(PooledStorageManager.byClock(source, Rounding.powerOfTwo(),
      StorageOptions.UNLIMITED, now::get));
    Block[] blocks = new Block[6];
    for (int i = 0; i < blocks.length; i++) {
      blocks[i] = pool.allocate(MIB << i);
    }
    for (Block block : blocks) {
      pool.free(block);
      // The clock overflows on the way.
      now.addAndGet(10);
    }
    assertThat(pool.trim(new TrimPolicy(0, Duration.ofNanos(61)))).isZero();
    assertThat(pool.trim(new TrimPolicy(0, Duration.ofNanos(50)))).isEqualTo(3 * MIB);
    assertThat(pool.trim(new TrimPolicy(56 * MIB, Duration.ZERO))).isEqualTo(4 * MIB);
    assertThat(pool.trim(new TrimPolicy(40 * MIB, Duration.ZERO))).isEqualTo(8 * MIB);
    assertThat(pool.trim(new TrimPolicy(32 * MIB, Duration.ZERO))).isEqualTo(16 * MIB);
    assertThat(pool.trim(new TrimPolicy(0, Duration.ofSeconds(Long.MAX_VALUE)))).isZero();
    assertThat(pool.trim()).isEqualTo(32 * MIB);
    assertThat(source.heldRegions()).isZero();
  }

  @Test
  void clearedFiguresBeginFromWhatIsHeldAndIdsGoOn() {
    PooledStorageManager pool = pool(Long.MAX_VALUE);
    pool.free(pool.allocate(MIB));
    Block block = pool.allocate(100);
    AllocatorStats before = pool.clearStats();
    assertThat(before.allocationCount()).isEqualTo(2);
    AllocatorStats after = pool.stats();
    assertThat(after.allocationCount()).isZero();
    assertThat(after.peakBytesInUse()).isEqualTo(4096);
    assertThat(after.peakPoolBytes()).isEqualTo(MIB + 4096);
    assertThat(after.largestBytes()).isZero();
    Block next = pool.allocate(100);
    assertThat(next.allocationId()).isEqualTo(2);
    pool.free(next);
    pool.free(block);
  }

  @Test
  void theListenerIsToldInOrder() {
    StringBuilder told = new StringBuilder();
    PooledStorageManager pool = new PooledStorageManager(source, Rounding.powerOfTwo(),
      StorageOptions.UNLIMITED.withLimitBytes(MIB), ListenerText.into(told));
    Block block = pool.allocate(5, "a");
    pool.free(block);
    pool.free(pool.allocate(7, "b"));
    pool.freeDirectly(pool.allocate(9, "c"));
    assertThatThrownBy(() -> pool.allocate(2 * MIB)).isInstanceOf(OutOfMemory.class);
    assertThat(told).hasToString("+R4096 +0/5 -0 +1/7 -1 +2/9 -2 -R4096 !2097152 ");
  }
}
