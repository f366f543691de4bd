package dev.cairn.allocator.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.Owner;
import dev.cairn.allocator.Validated;
import dev.cairn.allocator.source.FakeSubAllocator;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Blocks that are not held are refused with facts, by either way of freeing, and nothing is lost by it. */
class StaleFreeTest {
  @RegisterExtension
  final Validated validated = new Validated();

  static Stream<RegionAllocator> managers() {
    return Stream.of(new NaiveStorageManager(FakeSubAllocator.scattered(1L << 40), Long.MAX_VALUE),
      new PooledStorageManager(FakeSubAllocator.scattered(1L << 40), Rounding.naive(), StorageOptions.UNLIMITED),
      new PooledStorageManager(FakeSubAllocator.scattered(1L << 40), Rounding.powerOfTwo(), StorageOptions.UNLIMITED),
      new UnpooledStorageManager(FakeSubAllocator.scattered(1L << 40), Rounding.naive(), StorageOptions.UNLIMITED));
  }

  private void isRefused(RegionAllocator manager, Block block, String word) {
    AllocatorStats before = manager.stats();
    assertThatIllegalArgumentException().isThrownBy(() -> manager.free(block)).withMessageContaining(word)
      .withMessageContaining("address=0x%x".formatted(block.address()));
    assertThatIllegalArgumentException().isThrownBy(() -> manager.freeDirectly(block)).withMessageContaining(word);
    assertThat(manager.stats()).isEqualTo(before);
    manager.validate();
  }

  @ParameterizedTest
  @MethodSource("managers")
  void aBlockIsFreedOnceHoweverItIsFreed(RegionAllocator manager) {
    validated.watch(manager);
    Block block = manager.allocate(1000);
    manager.free(block);
    isRefused(manager, block, "already freed");
    Block direct = manager.allocate(1000);
    manager.freeDirectly(direct);
    isRefused(manager, direct, "already freed");
  }

  @ParameterizedTest
  @MethodSource("managers")
  void aStaleBlockDoesNotFreeTheNextHolders(RegionAllocator manager) {
    validated.watch(manager);
    Block stale = manager.allocate(1000);
    manager.free(stale);
    Block next = manager.allocate(1000, "heir");
    if (next.address() == stale.address()) {
      assertThatIllegalArgumentException().isThrownBy(() -> manager.free(stale)).withMessageContaining("heir");
    }
    isRefused(manager, stale, "already freed");
    manager.free(next);
  }

  @ParameterizedTest
  @MethodSource("managers")
  void anAlteredBlockIsRefused(RegionAllocator manager) {
    validated.watch(manager);
    Block other = manager.allocate(1000);
    Block block = manager.allocate(1000, "victim");
    Block interior = with(block, block.handle(), block.allocationId(), block.address() + 256, block.bytes() - 256);
    isRefused(manager, interior, "block was altered");
    isRefused(manager, with(block, block.handle(), block.allocationId(), block.address(), 256), "block was altered");
    isRefused(manager, with(block, other.handle(), block.allocationId(), block.address(), block.bytes()), "not in use");
    isRefused(manager, with(block, block.handle(), other.allocationId(), block.address(), block.bytes()), "not in use");
    for (long handle : new long[] {0, 7, 1L << 32, 5L << 32 | 1, Integer.MAX_VALUE, 0xffffffffL, Long.MAX_VALUE,
      Long.MIN_VALUE, -2}) {
      isRefused(manager, with(block, handle, 99, block.address(), block.bytes()), "never allocated");
    }
    manager.free(block);
    manager.free(other);
  }

  private static Block with(Block block, long handle, long id, long address, long bytes) {
    return new Block(block.issuer(), handle, id, address, block.requestedBytes(), bytes, block.space(),
      MemorySegment.NULL);
  }

  @ParameterizedTest
  @MethodSource("managers")
  void anotherManagersBlockIsRefused(RegionAllocator manager) {
    validated.watch(manager);
    Block own = manager.allocate(1000);
    for (RegionAllocator other : managers().toList()) {
      Block foreign = other.allocate(AllocationRequest.of(1000, Owner.of("stranger")));
      isRefused(manager, foreign, "another allocator");
      Block empty = other.allocate(0);
      assertThatIllegalArgumentException().isThrownBy(() -> manager.free(empty)).withMessageContaining("another");
      other.free(foreign);
      other.close();
    }
    manager.freeDirectly(own);
  }

  @ParameterizedTest
  @MethodSource("managers")
  void aReservedBlockGoesStraightBack(RegionAllocator manager) {
    validated.watch(manager);
    manager.free(manager.allocate(5000));
    Block weights = manager.reserve(AllocationRequest.of(5000, Owner.of("weights")));
    assertThat(manager.stats().bypass().current()).isEqualTo(weights.bytes());
    assertThat(manager.stats().reserveCount()).isOne();
    long before = manager.stats().poolBytes();
    manager.free(weights);
    assertThat(manager.stats().poolBytes()).isEqualTo(before - weights.bytes());
    assertThat(manager.stats().bypass().current()).isZero();
    isRefused(manager, weights, "already freed");
    for (AllocationRequest demanding : List.of(AllocationRequest.of(1).withAlignment(512),
      AllocationRequest.of(1).withFreedBefore(3))) {
      assertThatIllegalArgumentException().isThrownBy(() -> manager.reserve(demanding))
        .withMessageContaining("no alignment and no time");
    }
    assertThat(manager.reserve(AllocationRequest.of(0)).isEmpty()).isTrue();
  }
}
