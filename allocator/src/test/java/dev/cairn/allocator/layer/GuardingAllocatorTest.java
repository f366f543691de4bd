package dev.cairn.allocator.layer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.MemorySpace;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.Owner;
import dev.cairn.allocator.Validated;
import dev.cairn.allocator.bfc.BfcAllocator;
import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.source.FakeSubAllocator;
import dev.cairn.allocator.source.NettySubAllocator;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Red zones. All that is written lies inside memory that the allocator holds. */
class GuardingAllocatorTest {
  @RegisterExtension
  final Validated validated = new Validated();
  private final BfcAllocator core = validated
    .watch(new BfcAllocator(new NettySubAllocator(), BfcOptions.DEFAULT.withLimitBytes(4 << 20)));
  private final GuardingAllocator allocator = validated.watch(new GuardingAllocator(core));

  @AfterEach
  void closeAll() {
    allocator.close();
  }

  /** Writes relative to a block, in bounds or out of them. */
  private static void write(Block block, long offset, int value) {
    MemorySegment.ofAddress(block.address() + offset).reinterpret(1).set(ValueLayout.JAVA_BYTE, 0, (byte) value);
  }

  private static byte read(Block block, long offset) {
    return MemorySegment.ofAddress(block.address() + offset).reinterpret(1).get(ValueLayout.JAVA_BYTE, 0);
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "100, 100", "100, 355", "256, 256", "100, -1", "100, -256", "3000, 3001"})
  void aWriteOutsideIsToldOfWithItsOffsetAndTheBlockIsFreed(long bytes, long offset) {
    Block block = allocator.allocate(bytes, "conv1");
    write(block, offset, 7);
    assertThat(allocator.damages()).containsExactly(
      new Damage(Owner.of("conv1"), block.allocationId(), block.address(), bytes, offset, 1));
    assertThatIllegalStateException().isThrownBy(() -> allocator.free(block)).withMessageContainingAll(
      "owner=conv1", "offset=" + offset, "damagedBytes=1");
    assertThat(allocator.stats().liveCount()).isZero();
    assertThat(core.stats().liveCount()).isZero();
    assertThat(allocator.damages()).isEmpty();
  }

  @Test
  void theFirstOfSeveralIsNamedAndAllAreCounted() {
    Block block = allocator.allocate(10);
    for (long offset : new long[] {-3, -2, 10, 12}) {
      write(block, offset, 1);
    }
    assertThat(allocator.damages()).extracting(Damage::offset, Damage::damagedBytes)
      .containsExactly(org.assertj.core.groups.Tuple.tuple(-3L, 4L));
    assertThatIllegalStateException().isThrownBy(() -> allocator.free(block));
  }

  @Test
  void allOfABlockMayBeWrittenAndNeighboursAreApart() {
    Block first = allocator.allocate(1000);
    Block second = allocator.allocate(1000);
    first.segment().fill((byte) 1);
    second.segment().fill((byte) 2);
    assertThat(allocator.damages()).isEmpty();
    assertThat(Math.abs(first.address() - second.address())).isGreaterThanOrEqualTo(1000 + 2 * 256);
    allocator.free(first);
    allocator.free(second);
  }

  @Test
  void newAndFreedMemoryShowIt() {
    Block block = allocator.allocate(100);
    assertThat(read(block, 50)).isEqualTo((byte) 0xCD);
    block.segment().fill((byte) 1);
    allocator.free(block);
    assertThat(read(block, 50)).isEqualTo((byte) 0xDD);
  }

  @ParameterizedTest
  @CsvSource({"1", "256", "512", "4096", "65536"})
  void alignedBlocksStayAligned(long alignment) {
    Block block = allocator.allocate(AllocationRequest.of(100).withAlignment(alignment));
    // This checks nothing more until the core aligns to more than 256.
    assertThat(block.address() % Math.min(alignment, 256)).isZero();
    write(block, -1, 9);
    assertThat(allocator.damages()).extracting(Damage::offset).containsExactly(-1L);
    assertThatIllegalStateException().isThrownBy(() -> allocator.free(block));
  }

  @Test
  void alteredBlocksAreRefused() {
    Block block = allocator.allocate(100);
    Block altered = new Block(block.issuer(), block.handle(), block.allocationId(), block.address(), 99, block.bytes(),
      block.space(), block.segment());
    assertThatIllegalArgumentException().isThrownBy(() -> allocator.free(altered)).withMessageContaining("altered");
    assertThat(allocator.stats().liveCount()).isOne();
    allocator.free(block);
    assertThatIllegalArgumentException().isThrownBy(() -> allocator.free(block)).withMessageContaining("already freed");
  }

  @Test
  void whereTheHostCannotWriteOnlyTheFiguresAreChecked() {
    BfcAllocator device = validated.watch(new BfcAllocator(FakeSubAllocator.contiguous(1 << 20), BfcOptions.DEFAULT));
    GuardingAllocator guarding = new GuardingAllocator(device);
    Block block = guarding.allocate(100);
    assertThat(block.issuer()).isEqualTo(device);
    Block wrongBytes = new Block(device, block.handle(), block.allocationId(), block.address(), 100, 512,
      MemorySpace.device(0), MemorySegment.NULL);
    assertThatIllegalArgumentException().isThrownBy(() -> guarding.free(wrongBytes)).withMessageContaining("altered");
    assertThat(guarding.damages()).isEmpty();
    guarding.free(block);
    guarding.close();
  }

  @Test
  void aRefusalSpeaksOfWhatWasAskedFor() {
    OutOfMemory failure = catchThrowableOfType(OutOfMemory.class, () -> allocator.allocate((4 << 20) - 256, "big"));
    assertThat(failure.requestedBytes()).isEqualTo((4 << 20) - 256);
    assertThat(failure.circumstances()).containsExactly("red zones included: innerBytes=" + ((4 << 20) + 256));
  }

  @Test
  void damageIsTakenOnceAndZonesAreAsLongAsAskedFor() {
    try (var longer = new GuardingAllocator(new BfcAllocator(new NettySubAllocator(), BfcOptions.DEFAULT), 1000)) {
      Block block = longer.allocate(100, "conv1");
      write(block, -1024, 7);
      write(block, 100 + 1023, 7);
      assertThat(longer.takeDamages()).containsExactly(
        new Damage(Owner.of("conv1"), block.allocationId(), block.address(), 100, -1024, 2));
      assertThat(longer.takeDamages()).isEmpty();
      longer.free(block);
    }
    for (long zoneBytes : new long[] {0, -1, Long.MAX_VALUE}) {
      assertThatIllegalArgumentException().isThrownBy(() -> new GuardingAllocator(core, zoneBytes));
    }
  }
}
