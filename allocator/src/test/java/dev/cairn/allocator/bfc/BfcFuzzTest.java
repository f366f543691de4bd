package dev.cairn.allocator.bfc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.MemorySpace;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.Owner;
import dev.cairn.allocator.SharedCounter;
import dev.cairn.allocator.TrimPolicy;
import dev.cairn.allocator.Validated;
import dev.cairn.allocator.source.FakeSubAllocator;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Random bytes where handles, owners, lengths and alignments should be: refused in words, and nothing has changed. */
class BfcFuzzTest {
  @RegisterExtension
  final Validated validated = new Validated();
  private final BfcAllocator allocator = validated
    .watch(new BfcAllocator(FakeSubAllocator.scattered(Long.MAX_VALUE), BfcOptions.DEFAULT));

  /** Numbers that are likely to be wrong in some way: random, near powers of two, near the ends, near good ones. */
  private static long odd(Random random, long good) {
    return switch (random.nextInt(6)) {
      case 0 -> random.nextLong();
      case 1 -> (1L << random.nextInt(64)) + random.nextInt(3) - 1;
      case 2 -> Long.MAX_VALUE - random.nextInt(300);
      case 3 -> Long.MIN_VALUE + random.nextInt(300);
      case 4 -> good ^ (1L << random.nextInt(64));
      default -> good + random.nextInt(5) - 2;
    };
  }

  @Test
  void handlesMadeOfAnyBytes() {
    tryHandles(5_000);
  }

  @Test
  @Tag("long")
  void manyHandlesMadeOfAnyBytes() {
    tryHandles(50_000);
  }

  private void tryHandles(int count) {
    Random random = new Random(3);
    List<Long> held = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      held.add(allocator.grant(1 + random.nextInt(5000)));
    }
    for (int i = 0; i < 100; i++) {
      allocator.release(held.remove(random.nextInt(held.size())));
    }
    AllocatorStats before = allocator.stats();
    byte[] bytes = new byte[8];
    for (int i = 0; i < count; i++) {
      random.nextBytes(bytes);
      long made = random.nextBoolean()
        ? ByteBuffer.wrap(bytes).getLong()
        : odd(random, held.get(random.nextInt(held.size())));
      if (!held.contains(made)) {
        assertThatIllegalArgumentException().isThrownBy(() -> allocator.release(made));
        assertThatIllegalArgumentException().isThrownBy(() -> allocator.addressOf(made));
      }
    }
    assertThat(allocator.stats()).isEqualTo(before);
    held.forEach(allocator::release);
    assertThat(allocator.stats().liveCount()).isZero();
  }

  @Test
  void blocksWithAnythingInThem() {
    tryBlocks(2_000);
  }

  @Test
  @Tag("long")
  void manyBlocksWithAnythingInThem() {
    tryBlocks(20_000);
  }

  private void tryBlocks(int count) {
    Random random = new Random(4);
    Block real = allocator.allocate(1000);
    AllocatorStats before = allocator.stats();
    int refused = 0;
    for (int i = 0; i < count; i++) {
      long handle = random.nextBoolean() ? real.handle() : odd(random, real.handle());
      long id = random.nextBoolean() ? real.allocationId() : odd(random, real.allocationId());
      long address = random.nextBoolean() ? real.address() : odd(random, real.address());
      boolean isReal = handle == real.handle() && id == real.allocationId() && address == real.address();
      if (!isReal && handle != Block.NO_HANDLE) {
        Block forged = new Block(allocator, handle, id, address, odd(random, 1000), odd(random, 1024),
          MemorySpace.device(0), MemorySegment.NULL);
        assertThatIllegalArgumentException().isThrownBy(() -> allocator.free(forged));
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(count / 2);
    assertThat(allocator.stats()).isEqualTo(before);
    allocator.free(real);
  }

  @Test
  void ownersThatNobodyIs() {
    Random random = new Random(5);
    int known = allocator.ownerNumber(Owner.of("known"));
    AllocatorStats before = allocator.stats();
    for (int i = 0; i < 5000; i++) {
      int owner = (int) odd(random, known);
      if (owner < 0 || owner > known) {
        assertThatIllegalArgumentException().isThrownBy(() -> allocator.tryGrant(100, owner))
          .withMessageContaining("owner=" + owner);
        assertThatIllegalArgumentException().isThrownBy(() -> allocator.grant(100, owner));
      }
    }
    assertThat(allocator.stats()).isEqualTo(before);
  }

  @Test
  void lengthsOfAnySize() {
    tryLengths(2_000);
  }

  @Test
  @Tag("long")
  void manyLengthsOfAnySize() {
    tryLengths(20_000);
  }

  private void tryLengths(int count) {
    BfcAllocator small = validated.watch(new BfcAllocator(FakeSubAllocator.contiguous(Long.MAX_VALUE),
      BfcOptions.DEFAULT.withLimitBytes(1 << 20)));
    Random random = new Random(6);
    for (int i = 0; i < count; i++) {
      long bytes = odd(random, 1 << 20);
      if (bytes <= 0) {
        assertThatIllegalArgumentException().isThrownBy(() -> small.tryGrant(bytes));
        assertThatIllegalArgumentException().isThrownBy(() -> small.grant(bytes));
      } else if (bytes > 1 << 20) {
        assertThat(small.tryGrant(bytes)).isEqualTo(Block.NO_HANDLE);
      } else {
        small.release(small.grant(bytes));
      }
    }
    assertThat(small.stats().poolBytes()).isLessThanOrEqualTo(1 << 20);
  }

  @Test
  void requestsThatCannotBe() {
    for (long bytes : new long[] {-1, Long.MIN_VALUE}) {
      assertThatIllegalArgumentException().isThrownBy(() -> AllocationRequest.of(bytes));
    }
    AllocationRequest request = AllocationRequest.of(100);
    for (long alignment : new long[] {0, -1, 3, 257, Long.MIN_VALUE, Long.MAX_VALUE}) {
      assertThatIllegalArgumentException().isThrownBy(() -> request.withAlignment(alignment));
    }
    assertThatIllegalArgumentException().isThrownBy(() -> request.withFreedBefore(-1));
    assertThatIllegalArgumentException().isThrownBy(() -> new TrimPolicy(-1, Duration.ZERO));
    assertThatIllegalArgumentException().isThrownBy(() -> new TrimPolicy(0, Duration.ofNanos(-1)));
  }

  @Test
  void alignmentsUpToATebibyte() {
    List<Block> blocks = new ArrayList<>();
    for (int log2 = 0; log2 <= 40; log2++) {
      Block block = allocator.allocate(AllocationRequest.of(1000).withAlignment(1L << log2));
      assertThat(block.address() % (1L << log2)).isZero();
      assertThat(block.bytes()).isGreaterThanOrEqualTo(1000);
      blocks.add(block);
      allocator.validate();
    }
    CaseFixture.assertApart(blocks);
    blocks.forEach(allocator::free);
    assertThat(CaseFixture.freeBytes(allocator)).hasSameSizeAs(CaseFixture.regionBytes(allocator));
  }

  @Test
  void alignmentsBeyondAllMemory() {
    for (int log2 = 41; log2 < 63; log2++) {
      AllocationRequest request = AllocationRequest.of(1000).withAlignment(1L << log2);
      try {
        Block block = allocator.allocate(request);
        assertThat(block.address() % (1L << log2)).isZero();
        allocator.free(block);
      } catch (OutOfMemory refusal) {
        assertThat(refusal.bytesShort()).isPositive();
      }
      allocator.validate();
      allocator.trim();
    }
    for (long bytes : new long[] {Long.MAX_VALUE, Long.MAX_VALUE - 256, Long.MAX_VALUE / 2, 1L << 62}) {
      assertThatThrownBy(() -> allocator.allocate(AllocationRequest.of(bytes).withAlignment(1L << 62)))
        .isInstanceOf(OutOfMemory.class);
      allocator.validate();
    }
  }

  @Test
  void timesOfAnySize() {
    SharedCounter clock = new SharedCounter();
    BfcAllocator timed = validated.watch(new BfcAllocator(FakeSubAllocator.contiguous(1 << 20),
      BfcOptions.DEFAULT.withLimitBytes(1 << 16).withClock(clock)));
    Random random = new Random(9);
    List<Block> held = new ArrayList<>();
    for (int i = 0; i < 5000; i++) {
      AllocationRequest request = AllocationRequest.of(1 + random.nextInt(9000))
        .withFreedBefore(Math.max(0, odd(random, clock.now())));
      try {
        held.add(timed.allocate(request));
      } catch (OutOfMemory refusal) {
        if (!held.isEmpty()) {
          timed.free(held.remove(random.nextInt(held.size())));
        }
      }
      if (random.nextInt(100) == 0) {
        timed.setSafeFrontier(Math.min(clock.now() + 1, odd(random, clock.now())));
      }
    }
    held.forEach(timed::free);
    timed.validate();
    // A frontier at the end of time lets everything be used, now and later.
    timed.setSafeFrontier(Long.MAX_VALUE);
    timed.trim();
    assertThat(timed.stats().poolBytes()).isZero();
    OutOfMemory failure = catchThrowableOfType(OutOfMemory.class, () -> timed.allocate(1 << 17));
    assertThat(failure.reason()).isEqualTo(OutOfMemory.Reason.LIMIT);
  }
}
