package dev.cairn.allocator.bfc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.Validated;
import dev.cairn.allocator.source.FakeSubAllocator;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Double, stale, foreign, interior and made-up frees: each is refused in words and changes nothing. */
class BfcBadFreeTest {
  @RegisterExtension
  final Validated validated = new Validated();
  private BfcAllocator allocator;
  private BfcAllocator twin;

  @BeforeEach
  void makeTwins() {
    allocator = validated.watch(new BfcAllocator(FakeSubAllocator.scattered(1 << 24), BfcOptions.DEFAULT));
    twin = validated.watch(new BfcAllocator(FakeSubAllocator.scattered(1 << 24), BfcOptions.DEFAULT));
  }

  private void assertRefused(Runnable free, String... words) {
    AllocatorStats before = allocator.stats();
    assertThatIllegalArgumentException().isThrownBy(free::run)
      .satisfies(e -> assertThat(e.getMessage()).contains(words));
    assertThat(allocator.stats()).isEqualTo(before);
    allocator.validate();
  }

  @Test
  void doubleFree() {
    Block block = allocator.allocate(100, "a");
    allocator.free(block);
    assertRefused(() -> allocator.free(block), "already freed", "id=0", "free in chunk");
    assertRefused(() -> allocator.release(block.handle()), "already freed", "id=0");
  }

  @Test
  void freesOfARegionOfABlock() {
    var unpooled = validated.watch(new BfcAllocator(FakeSubAllocator.scattered(1 << 24), BfcOptions.DEFAULT.withPooling(
      BfcOptions.Pooling.NONE)));
    Block block = unpooled.allocate(100, "a");
    unpooled.free(block);
    assertThat(unpooled.stats().poolBytes()).isZero();
    assertThatIllegalArgumentException().isThrownBy(() -> unpooled.free(block)).withMessageContaining("already freed");
    Block next = unpooled.allocate(100, "b");
    assertThatIllegalArgumentException().isThrownBy(() -> unpooled.free(block)).withMessageContaining("already freed");
    assertThat(unpooled.stats().liveCount()).isOne();
    unpooled.free(next);
  }

  @Test
  void staleFreeNamesTheNewHolder() {
    Block block = allocator.allocate(100, "old");
    allocator.free(block);
    Block heir = allocator.allocate(100, "heir");
    assertThat(heir.address()).isEqualTo(block.address());
    assertRefused(() -> allocator.free(block), "already freed", "id=0", "in use by id=1 owner=heir");
    assertRefused(() -> allocator.release(block.handle()), "id=0");
    allocator.free(heir);
  }

  @Test
  void foreignFreeEvenFromATwinWithTheSameHistory() {
    Block own = allocator.allocate(100, "a");
    Block foreign = twin.allocate(100, "a");
    assertThat(foreign.address()).isEqualTo(own.address());
    assertThat(foreign.allocationId()).isEqualTo(own.allocationId());
    assertRefused(() -> allocator.free(foreign), "another allocator");
    assertThat(foreign.handle()).isNotEqualTo(own.handle());
    assertRefused(() -> allocator.release(foreign.handle()), "not one of this allocator");
  }

  @Test
  void interiorFree() {
    Block block = allocator.allocate(1000, "a");
    Block inside = new Block(allocator, block.handle(), block.allocationId(), block.address() + 256, 100, 256,
      block.space(), MemorySegment.NULL);
    assertRefused(() -> allocator.free(inside), "block was altered", "in use by id=0 owner=a");
    Block otherId = new Block(allocator, block.handle(), 17, block.address(), 1000, 1024, block.space(),
      MemorySegment.NULL);
    assertRefused(() -> allocator.free(otherId), "block was altered");
    allocator.free(block);
  }

  @Test
  void madeUpHandles() {
    allocator.grant(100);
    Random random = new Random(5);
    List<Long> handles = new ArrayList<>(List.of(0L, Block.NO_HANDLE, Long.MAX_VALUE, Long.MIN_VALUE));
    for (int i = 0; i < 500; i++) {
      handles.add(random.nextLong());
    }
    for (long handle : handles) {
      assertRefused(() -> allocator.release(handle), "handle");
      assertRefused(() -> allocator.addressOf(handle), "handle");
      assertRefused(() -> allocator.blockOf(handle), "handle");
    }
  }

  /** Every handle ever given out is tried after its free, at once and much later. */
  @Test
  void noOldHandleFits() {
    requireThatNoOldHandleFits(3_000);
  }

  @Test
  @Tag("long")
  void noOldHandleEverFits() {
    requireThatNoOldHandleFits(20_000);
  }

  private void requireThatNoOldHandleFits(int calls) {
    Random random = new Random(11);
    List<Long> live = new ArrayList<>();
    List<Long> dead = new ArrayList<>();
    for (int i = 0; i < calls; i++) {
      if (live.size() < 40 && random.nextBoolean()) {
        live.add(allocator.grant(1 + random.nextInt(5000)));
      } else if (!live.isEmpty()) {
        long handle = live.remove(random.nextInt(live.size()));
        allocator.release(handle);
        dead.add(handle);
      }
      if (!dead.isEmpty()) {
        long old = dead.get(random.nextInt(dead.size()));
        assertThatIllegalArgumentException().isThrownBy(() -> allocator.release(old));
      }
    }
    assertThat(allocator.stats().liveCount()).isEqualTo(live.size());
    assertThat(dead).doesNotHaveDuplicates();
  }

  @Test
  void anEmptyBlockOfAnotherIsStillAnothers() {
    assertRefused(() -> allocator.free(twin.allocate(0)), "another allocator");
  }
}
