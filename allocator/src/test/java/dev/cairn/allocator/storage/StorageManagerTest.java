package dev.cairn.allocator.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.MemorySpace;
import dev.cairn.allocator.bfc.BfcAllocator;
import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.source.FakeSubAllocator;
import dev.cairn.allocator.source.FaultySubAllocator;
import dev.cairn.allocator.source.FaultySubAllocator.Fault;
import dev.cairn.allocator.source.NettySubAllocator;
import dev.cairn.allocator.source.SubAllocator;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Storage over tables of one kind and of many, and what its construction and its closing do when they fail. */
class StorageManagerTest {
  private static final long LIMIT_BYTES = 64L << 20;
  private static final StorageOptions OPTIONS = StorageOptions.UNLIMITED.withLimitBytes(LIMIT_BYTES);

  private static SubAllocator host() {
    return new NettySubAllocator();
  }

  private static SubAllocator pinned() {
    return new SourceInSpace(new NettySubAllocator(), MemorySpace.PINNED);
  }

  private static SubAllocator device(int ordinal) {
    return new SourceInSpace(FakeSubAllocator.scattered(1L << 40), MemorySpace.device(ordinal));
  }

  private static StorageManager allOf(Function<SubAllocator, Allocator> kind) {
    return new StorageManager(List.of(kind.apply(host()), kind.apply(pinned()), kind.apply(device(0)),
      kind.apply(device(1))));
  }

  @Nested
  class OverNaive extends StorageManagerContract {
    @Override
    protected StorageManager newStorage() {
      return allOf(source -> new NaiveStorageManager(source, LIMIT_BYTES));
    }
  }

  @Nested
  class OverPools extends StorageManagerContract {
    @Override
    protected StorageManager newStorage() {
      return allOf(source -> new PooledStorageManager(source, Rounding.powerOfTwo(), OPTIONS));
    }
  }

  @Nested
  class OverAMixture extends StorageManagerContract {
    @Override
    protected StorageManager newStorage() {
      return new StorageManager(List.of(
        new BfcAllocator(host(), BfcOptions.DEFAULT.withLimitBytes(LIMIT_BYTES)),
        new PooledStorageManager(pinned(), Rounding.naive(), OPTIONS),
        new PooledStorageManager(device(0), Rounding.multipleOf(4096), OPTIONS),
        new UnpooledStorageManager(device(1), Rounding.naive(), OPTIONS)));
    }
  }

  @Test
  void aTableHasOneAllocatorForASpace() {
    assertThatIllegalArgumentException().isThrownBy(() -> new StorageManager(List.of()))
      .withMessageContaining("at least one");
    List<Allocator> two = List.of(new NaiveStorageManager(device(0), LIMIT_BYTES),
      new NaiveStorageManager(device(0), LIMIT_BYTES));
    assertThatIllegalArgumentException().isThrownBy(() -> new StorageManager(two)).withMessageContaining("device:0");
    two.forEach(Allocator::close);
  }

  @Test
  void closingGoesOnPastAFailureAndMayBeTriedAgain() {
    FakeSubAllocator fake = FakeSubAllocator.scattered(1L << 40);
    FaultySubAllocator faulty = new FaultySubAllocator(fake, call -> call == 1 ? Fault.REFUSE : Fault.NONE);
    Allocator first = new PooledStorageManager(faulty, Rounding.naive(), OPTIONS);
    Allocator second = new NaiveStorageManager(device(1), LIMIT_BYTES);
    StorageManager storage = new StorageManager(List.of(first, second));
    storage.free(storage.allocate(MemorySpace.device(0), 100));
    assertThatIllegalStateException().isThrownBy(storage::close).withMessageContaining("on purpose");
    assertThatIllegalStateException().isThrownBy(second::close).withMessageContaining("closed");
    assertThat(fake.heldRegions()).isOne();
    storage.close();
    assertThat(fake.heldRegions()).isZero();
    assertThatIllegalStateException().isThrownBy(storage::close).withMessageContaining("closed");
  }
}
