package dev.cairn.allocator.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.Validated;
import dev.cairn.allocator.source.FakeSubAllocator;
import dev.cairn.allocator.source.FaultySubAllocator;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What MXNet's own tests and sources say of its storage managers, in our words. */
class MxnetCasesTest {
  private static final long MIB = 1L << 20;

  @RegisterExtension
  final Validated validated = new Validated();
  private final FakeSubAllocator source = FakeSubAllocator.scattered(Long.MAX_VALUE);

  private PooledStorageManager pool(Rounding rounding, StorageOptions options) {
    return validated.watch(new PooledStorageManager(source, rounding, options));
  }

  @Test
  void theRoundPoolServes4095BytesFromWhat32BytesLeft() {
    PooledStorageManager pool = pool(Rounding.powerOfTwo(), StorageOptions.UNLIMITED);
    Block first = pool.allocate(32);
    pool.free(first);
    Block second = pool.allocate(4095);
    assertThat(second.address()).isEqualTo(first.address());
    assertThat(second.bytes()).isEqualTo(4096);
    assertThat(source.heldRegions()).isOne();
    pool.free(second);
  }

  @Test
  void theRoundPoolServes3145728BytesFromWhat2097153BytesLeft() {
    PooledStorageManager pool = pool(Rounding.powerOfTwo(), StorageOptions.UNLIMITED);
    Block first = pool.allocate(2_097_153);
    pool.free(first);
    Block second = pool.allocate(3_145_728);
    assertThat(second.address()).isEqualTo(first.address());
    assertThat(second.bytes()).isEqualTo(4 * MIB);
    pool.free(second);
  }

  @Test
  void theNaivePoolNeedsTheSameLength() {
    PooledStorageManager pool = pool(Rounding.naive(), StorageOptions.UNLIMITED);
    Block first = pool.allocate(2_097_153);
    pool.free(first);
    Block shorter = pool.allocate(MIB);
    assertThat(shorter.address()).isNotEqualTo(first.address());
    Block same = pool.allocate(4 * MIB);
    assertThat(same.address()).isEqualTo(first.address());
    pool.free(shorter);
    pool.free(same);
  }

  @Test
  void whatWasFreedLastIsUsedFirst() {
    PooledStorageManager pool = pool(Rounding.powerOfTwo(), StorageOptions.UNLIMITED);
    List<Block> blocks = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      blocks.add(pool.allocate(1000));
    }
    blocks.forEach(pool::free);
    for (Block freed : blocks.reversed()) {
      assertThat(pool.allocate(4096).address()).isEqualTo(freed.address());
    }
  }

  @Test
  void releaseAllGoesBeforeOneMoreTryOfTheSource() {
    FaultySubAllocator failing = new FaultySubAllocator(source,
      call -> call == 2 ? FaultySubAllocator.Fault.REFUSE : FaultySubAllocator.Fault.NONE);
    PooledStorageManager pool = validated.watch(new PooledStorageManager(failing, Rounding.powerOfTwo(),
      StorageOptions.UNLIMITED));
    Block kept = pool.allocate(MIB);
    pool.free(pool.allocate(2 * MIB));
    // Call 2 is refused; call 3 releases idle regions; call 4 is the second try.
    Block block = pool.allocate(8 * MIB);
    assertThat(failing.calls()).isEqualTo(5);
    assertThat(pool.stats().poolBytes()).isEqualTo(9 * MIB);
    assertThat(source.heldBytes()).isEqualTo(9 * MIB);
    pool.free(block);
    pool.free(kept);
  }

  @Test
  void theSourceIsTriedOnlyOnceMore() {
    FakeSubAllocator little = FakeSubAllocator.scattered(10 * MIB);
    FaultySubAllocator counted = new FaultySubAllocator(little, _ -> FaultySubAllocator.Fault.NONE);
    PooledStorageManager pool = validated.watch(new PooledStorageManager(counted, Rounding.powerOfTwo(),
      StorageOptions.UNLIMITED));
    Block kept = pool.allocate(4 * MIB);
    pool.free(pool.allocate(MIB));
    OutOfMemory failure = catchThrowableOfType(OutOfMemory.class, () -> pool.allocate(8 * MIB, "conv"));
    assertThat(failure.reason()).isEqualTo(OutOfMemory.Reason.SOURCE_REFUSED);
    assertThat(failure.memoryMap().chunkCount()).isOne();
    assertThat(counted.calls()).isEqualTo(5);
    pool.free(kept);
  }

  @Test
  void directFreeIsNotPooled() {
    PooledStorageManager pool = pool(Rounding.powerOfTwo(), StorageOptions.UNLIMITED);
    Block first = pool.allocate(1000);
    pool.freeDirectly(first);
    assertThat(source.heldRegions()).isZero();
    assertThat(pool.stats().poolBytes()).isZero();
    Block second = pool.allocate(1000);
    assertThat(second.address()).isNotEqualTo(first.address());
    pool.freeDirectly(second);
  }

  @Test
  void releaseAllGivesEveryIdleRegionBackAndNoOther() {
    PooledStorageManager pool = pool(Rounding.naive(), StorageOptions.UNLIMITED);
    Block kept = pool.allocate(1000);
    for (long bytes : new long[] {1, 5000, MIB, 3 * MIB}) {
      pool.free(pool.allocate(bytes));
    }
    // The request of 1 byte reused nothing, since the page is held; 4 regions are idle.
    assertThat(source.heldRegions()).isEqualTo(5);
    assertThat(pool.trim()).isEqualTo(4096 + 5120 + MIB + 4 * MIB);
    assertThat(source.heldRegions()).isOne();
    pool.free(kept);
  }

  @Test
  void fivePercentOfTheLimitAreNotTaken() {
    StorageOptions options = StorageOptions.UNLIMITED.withLimitBytes(100 * MIB)
      .withReservePercent(StorageOptions.RESERVE_PERCENT);
    PooledStorageManager pool = pool(Rounding.multipleOf(MIB), options);
    assertThat(pool.stats().limitBytes()).isEqualTo(95 * MIB);
    Block most = pool.allocate(94 * MIB);
    OutOfMemory failure = catchThrowableOfType(OutOfMemory.class, () -> pool.allocate(2 * MIB));
    assertThat(failure.reason()).isEqualTo(OutOfMemory.Reason.LIMIT);
    assertThat(failure.bytesShort()).isEqualTo(MIB);
    assertThat(failure).message().contains("reservePercent=5").contains("reserveBytes=" + 5 * MIB).hasLineCount(3);
    Block last = pool.allocate(MIB);
    assertThat(pool.stats().poolBytes()).isEqualTo(95 * MIB);
    pool.free(most);
    // The idle 94 MiB go back first, so the rest stays untouched.
    Block other = pool.allocate(50 * MIB);
    assertThat(source.heldBytes()).isEqualTo(51 * MIB);
    pool.free(other);
    pool.free(last);
  }

  @Test
  void theReserveOfTheUnpooledIsTheSame() {
    StorageOptions options = StorageOptions.UNLIMITED.withLimitBytes(100 * MIB).withReservePercent(5);
    Allocator unpooled = validated.watch(new UnpooledStorageManager(source, Rounding.multipleOf(MIB), options));
    assertThat(catchThrowableOfType(OutOfMemory.class, () -> unpooled.allocate(96 * MIB)).reason())
      .isEqualTo(OutOfMemory.Reason.LIMIT);
    Block block = unpooled.allocate(94 * MIB + 1);
    assertThat(block.bytes()).isEqualTo(95 * MIB);
    unpooled.free(block);
    assertThat(source.heldBytes()).isZero();
  }
}
