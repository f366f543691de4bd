package dev.cairn.allocator.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.MemorySpace;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.Owner;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What storage does, whatever allocators are in its table. A subclass gives the table and nothing else. */
abstract class StorageManagerContract {
  private static final List<MemorySpace> SPACES = List.of(MemorySpace.HOST, MemorySpace.PINNED, MemorySpace.device(0),
    MemorySpace.device(1));
  private StorageManager storage;

  /** Storage of the host, pinned memory and the devices 0 and 1, in that order, with a limit of 64 MiB each. */
  protected abstract StorageManager newStorage();

  @BeforeEach
  void makeSubject() {
    storage = newStorage();
  }

  @AfterEach
  void validate() {
    storage.validate();
  }

  @Test
  void eachSpaceHasItsOwnMemory() {
    assertThat(storage.spaces()).isEqualTo(SPACES);
    List<Block> blocks = new ArrayList<>();
    for (MemorySpace space : SPACES) {
      Block block = storage.allocate(space, 1000);
      assertThat(block.space()).isEqualTo(space);
      assertThat(block.issuer()).isSameAs(storage.allocatorOf(space));
      if (space.isHostAccessible()) {
        block.segment().fill((byte) 1);
      }
      blocks.add(block);
    }
    for (MemorySpace space : SPACES) {
      assertThat(storage.allocatorOf(space).stats().liveCount()).isOne();
    }
    blocks.forEach(storage::free);
    storage.close();
  }

  @Test
  void theLimitOfOneSpaceIsNotAnothers() {
    Block most = storage.allocate(MemorySpace.device(0), 40L << 20);
    assertThatThrownBy(() -> storage.allocate(MemorySpace.device(0), 40L << 20)).isInstanceOf(OutOfMemory.class)
      .hasMessageContaining("device:0");
    Block other = storage.allocate(MemorySpace.device(1), 40L << 20);
    storage.free(other);
    storage.free(most);
  }

  @Test
  void anUnknownSpaceIsRefused() {
    MemorySpace absent = MemorySpace.device(7);
    assertThatIllegalArgumentException().isThrownBy(() -> storage.allocate(absent, 1)).withMessageContaining(
      "device:7").withMessageContaining("device:1");
    assertThatIllegalArgumentException().isThrownBy(() -> storage.trim(absent));
    assertThatIllegalArgumentException().isThrownBy(() -> storage.free(Block.empty(this, absent)));
    assertThatIllegalArgumentException().isThrownBy(() -> storage.freeDirectly(Block.empty(this, absent)));
  }

  @Test
  void aBlockOfOtherStorageIsRefused() {
    StorageManager other = newStorage();
    for (MemorySpace space : SPACES) {
      Block foreign = other.allocate(space, 100);
      assertThatIllegalArgumentException().isThrownBy(() -> storage.free(foreign)).withMessageContaining("another");
      assertThatIllegalArgumentException().isThrownBy(() -> storage.freeDirectly(foreign))
        .withMessageContaining("another");
      other.freeDirectly(foreign);
    }
    other.close();
  }

  @Test
  void aBlockIsFreedOnceInEitherWay() {
    for (MemorySpace space : SPACES) {
      Block block = storage.allocate(space, 100);
      storage.freeDirectly(block);
      assertThatIllegalArgumentException().isThrownBy(() -> storage.free(block)).withMessageContaining("already freed");
      assertThat(storage.allocatorOf(space).stats().liveCount()).isZero();
      storage.free(storage.allocate(space, 0));
    }
  }

  @Test
  void trimmingOneSpaceLeavesTheOthers() {
    Block kept = storage.allocate(MemorySpace.HOST, 100);
    for (MemorySpace space : SPACES) {
      storage.free(storage.allocate(space, 10 << 20));
    }
    storage.trim(MemorySpace.device(0));
    assertThat(storage.allocatorOf(MemorySpace.device(0)).stats().poolBytes()).isZero();
    assertThat(storage.allocatorOf(MemorySpace.HOST).stats().poolBytes()).isPositive();
    storage.free(kept);
  }

  @Test
  void closingNeedsAllBlocksBackAndNamesTheLargestHolder() {
    Block small = storage.allocate(MemorySpace.HOST, AllocationRequest.of(100, Owner.of("bias")));
    Block large = storage.allocate(MemorySpace.device(1), AllocationRequest.of(9 << 20, Owner.of("conv", "weights")));
    assertThatIllegalStateException().isThrownBy(storage::close).withMessageContaining("conv/weights")
      .withMessageContaining("space=device:1").withMessageContaining("host liveCount=1");
    // Nothing was closed.
    for (MemorySpace space : SPACES) {
      storage.free(storage.allocate(space, 1));
    }
    storage.free(large);
    assertThatIllegalStateException().isThrownBy(storage::close).withMessageContaining("bias");
    storage.free(small);
    storage.close();
  }

  @Test
  void closingIsDeepAndHappensOnce() {
    Block block = storage.allocate(MemorySpace.HOST, 100);
    storage.free(block);
    storage.close();
    assertThatIllegalStateException().isThrownBy(storage::close).withMessageContaining("closed");
    for (MemorySpace space : SPACES) {
      assertThat(storage.allocatorOf(space).stats().poolBytes()).isZero();
      assertThatIllegalStateException().isThrownBy(() -> storage.allocate(space, 1)).withMessageContaining("closed");
      assertThatIllegalStateException().isThrownBy(() -> storage.allocatorOf(space).close());
    }
    assertThatIllegalStateException().isThrownBy(() -> storage.free(block));
    assertThatIllegalStateException().isThrownBy(() -> block.segment().fill((byte) 1));
  }

  @Test
  void churnOverAllSpacesLeavesNothingBehind() {
    Random random = new Random(5);
    List<Block> held = new ArrayList<>();
    for (int i = 0; i < 3000; i++) {
      if (held.size() < 60 && random.nextInt(5) < 3) {
        held.add(storage.allocate(SPACES.get(random.nextInt(SPACES.size())), 1 + random.nextInt(200_000)));
      } else if (!held.isEmpty()) {
        Block block = held.remove(random.nextInt(held.size()));
        if (random.nextInt(4) == 0) {
          storage.freeDirectly(block);
        } else {
          storage.free(block);
        }
      }
    }
    storage.validate();
    held.forEach(storage::free);
    storage.close();
  }
}
