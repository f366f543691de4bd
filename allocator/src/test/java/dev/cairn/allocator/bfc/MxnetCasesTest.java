package dev.cairn.allocator.bfc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cairn.allocator.Block;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.Rounding;
import dev.cairn.allocator.Validated;
import dev.cairn.allocator.source.FakeSubAllocator;
import dev.cairn.allocator.source.FaultySubAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What MXNet's own tests and sources say of its storage managers, in our words. */
class MxnetCasesTest {
  private static final long MIB = 1L << 20;

  @RegisterExtension
  final Validated validated = new Validated();
  private final FakeSubAllocator source = FakeSubAllocator.scattered(Long.MAX_VALUE);

  /** A region for each request, as MXNet's pools have, and all of the pool given back before a refusal. */
  private static BfcOptions options(Rounding rounding) {
    return BfcOptions.DEFAULT.withRounding(rounding).withGrowth(BfcOptions.Growth.AS_REQUESTED).withSplit(SplitPolicy
      .exact()).withCollection(BfcOptions.Collection.AT_THE_LIMIT);
  }

  private BfcAllocator pool(Rounding rounding) {
    return validated.watch(new BfcAllocator(source, options(rounding)));
  }

  @Test
  void theRoundPoolServes4095BytesFromWhat32BytesLeft() {
    BfcAllocator pool = pool(Rounding.powerOfTwo());
    Block first = pool.allocate(32);
    pool.free(first);
    Block second = pool.allocate(4095);
    assertThat(second.address()).isEqualTo(first.address());
    assertThat(second.bytes()).isEqualTo(4096);
    assertThat(second.requestedBytes()).isEqualTo(4095);
    assertThat(source.heldRegions()).isOne();
    pool.free(second);
  }

  @Test
  void theRoundPoolServes3145728BytesFromWhat2097153BytesLeft() {
    BfcAllocator pool = pool(Rounding.powerOfTwo());
    Block first = pool.allocate(2_097_153);
    pool.free(first);
    Block second = pool.allocate(3_145_728);
    assertThat(second.address()).isEqualTo(first.address());
    assertThat(second.bytes()).isEqualTo(4 * MIB);
    pool.free(second);
  }

  @Test
  void theNaivePoolServesTheSameLengthFromTheSameMemory() {
    BfcAllocator pool = pool(Rounding.naive());
    Block first = pool.allocate(2_097_153);
    pool.free(first);
    Block same = pool.allocate(4 * MIB);
    assertThat(same.address()).isEqualTo(first.address());
    pool.free(same);
  }

  @Test
  void releaseAllGoesBeforeOneMoreTryOfTheSource() {
    FaultySubAllocator failing = new FaultySubAllocator(source,
      call -> call == 2 ? FaultySubAllocator.Fault.REFUSE : FaultySubAllocator.Fault.NONE);
    BfcAllocator pool = validated.watch(new BfcAllocator(failing, options(Rounding.powerOfTwo())));
    Block kept = pool.allocate(MIB);
    pool.free(pool.allocate(2 * MIB));
    // Call 2 is refused; call 3 releases what lies idle; call 4 is the second try.
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
    BfcAllocator pool = validated.watch(new BfcAllocator(counted, options(Rounding.powerOfTwo())));
    Block kept = pool.allocate(4 * MIB);
    pool.free(pool.allocate(MIB));
    OutOfMemory failure = catchThrowableOfType(OutOfMemory.class, () -> pool.allocate(8 * MIB, "conv"));
    assertThat(failure.reason()).isEqualTo(OutOfMemory.Reason.SOURCE_REFUSED);
    assertThat(failure.memoryMap().chunkCount()).isOne();
    assertThat(counted.calls()).isEqualTo(5);
    pool.free(kept);
  }

  @Test
  void theNaiveAndTheUnpooledAskTheSourceEachTime() {
    for (BfcOptions each : new BfcOptions[] {BfcOptions.DEFAULT, options(Rounding.powerOfTwo())}) {
      FaultySubAllocator counted = new FaultySubAllocator(source, _ -> FaultySubAllocator.Fault.NONE);
      BfcAllocator unpooled = validated.watch(new BfcAllocator(counted, each.withPooling(BfcOptions.Pooling.NONE)));
      for (int i = 1; i <= 10; i++) {
        Block block = unpooled.allocate(5000);
        assertThat(source.heldBytes()).isEqualTo(block.bytes()).isEqualTo(each.rounding() == null ? 5120 : 8192);
        unpooled.free(block);
        assertThat(source.heldBytes()).isZero();
        assertThat(counted.calls()).as("an allocation and a release each").isEqualTo(2L * i);
      }
    }
  }

  @Test
  void releaseAllGivesEveryIdleRegionBackAndNoOther() {
    BfcAllocator pool = pool(Rounding.naive());
    Block kept = pool.allocate(1000);
    Block[] blocks = new Block[4];
    long[] lengths = {1, 5000, MIB, 3 * MIB};
    for (int i = 0; i < blocks.length; i++) {
      blocks[i] = pool.allocate(lengths[i]);
    }
    for (Block block : blocks) {
      pool.free(block);
    }
    assertThat(source.heldRegions()).isEqualTo(5);
    assertThat(pool.trim()).isEqualTo(4096 + 5120 + MIB + 4 * MIB);
    assertThat(source.heldRegions()).isOne();
    pool.free(kept);
  }
}
