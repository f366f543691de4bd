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
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Double, stale, foreign, interior and made-up frees at the front: each is refused in words and changes nothing. */
class FrontedBadFreeTest {
  @RegisterExtension
  final Validated validated = new Validated();
  private FrontedAllocator allocator;
  private FrontedAllocator twin;

  @BeforeEach
  void makeTwins() {
    allocator = validated.watch(new FrontedAllocator(FakeSubAllocator.scattered(1 << 24), BfcOptions.DEFAULT));
    twin = validated.watch(new FrontedAllocator(FakeSubAllocator.scattered(1 << 24), BfcOptions.DEFAULT));
  }

  private void assertRefused(Runnable free, String... words) {
    AllocatorStats before = allocator.stats();
    assertThatIllegalArgumentException().isThrownBy(free::run)
      .satisfies(e -> assertThat(e.getMessage()).contains(words));
    assertThat(allocator.stats()).isEqualTo(before);
    allocator.validate();
  }

  @Test
  void doubleFreeOfAParkedChunk() {
    Block block = allocator.allocate(100, "a");
    allocator.free(block);
    assertRefused(() -> allocator.free(block), "freed before", "id=0", "held by nobody");
    assertRefused(() -> allocator.release(block.handle()), "given back before", "id=0");
    allocator.trim();
    assertRefused(() -> allocator.free(block), "freed before", "id=0");
    assertRefused(() -> allocator.addressOf(block.handle()), "given back before");
  }

  @Test
  void doubleFreeOfALargeChunk() {
    Block block = allocator.allocate(1_000_000, "a");
    allocator.free(block);
    assertRefused(() -> allocator.free(block), "freed before", "id=0", "held by nobody");
    assertRefused(() -> allocator.release(block.handle()), "given back before", "id=0");
  }

  @Test
  void staleFreeNamesTheNewHolder() {
    Block block = allocator.allocate(100, "old");
    allocator.free(block);
    Block heir = allocator.allocate(100, "heir");
    assertThat(heir.address()).isEqualTo(block.address());
    assertRefused(() -> allocator.free(block), "freed before", "id=0", "in use by id=1 owner=heir");
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
    assertRefused(() -> allocator.free(twin.allocate(0)), "another allocator");
    assertRefused(() -> allocator.release(foreign.handle()), "not one of this allocator");
  }

  @Test
  void interiorFree() {
    Block block = allocator.allocate(1000, "a");
    Block inside = new Block(allocator, block.handle(), block.allocationId(), block.address() + 256, 100, 256,
      block.space(), MemorySegment.NULL);
    assertRefused(() -> allocator.free(inside), "not as it was granted", "in use by id=0 owner=a");
    Block otherId = new Block(allocator, block.handle(), 17, block.address(), 1000, 1024, block.space(),
      MemorySegment.NULL);
    assertRefused(() -> allocator.free(otherId), "not as it was granted");
    allocator.free(block);
  }

  @Test
  void madeUpHandles() {
    long held = allocator.grant(100);
    Random random = new Random(5);
    List<Long> handles = new ArrayList<>(List.of(0L, Block.NO_HANDLE, Long.MAX_VALUE, Long.MIN_VALUE, held + 1, -held,
      held + (1L << 28), held - (1L << 28)));
    for (int i = 0; i < 10_000; i++) {
      handles.add(random.nextLong());
      handles.add((random.nextLong() << 28) | random.nextInt(64));
    }
    for (long handle : handles) {
      assertThatIllegalArgumentException().isThrownBy(() -> allocator.release(handle));
      assertThatIllegalArgumentException().isThrownBy(() -> allocator.addressOf(handle));
      assertThatIllegalArgumentException().isThrownBy(() -> allocator.blockOf(handle));
    }
    assertThat(allocator.stats().liveCount()).isOne();
  }

  /** Every handle ever given out is tried after its free, at once and much later. */
  @Test
  void noOldHandleEverFits() {
    Random random = new Random(11);
    List<Long> live = new ArrayList<>();
    List<Long> dead = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      if (live.size() < 40 && random.nextBoolean()) {
        live.add(allocator.grant(1 + random.nextInt(50_000)));
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
  void ofManyWhoReleaseAHandleAtOnceOneSucceeds() throws Exception {
    int rounds = 3000;
    int threads = 3;
    long[] handle = new long[1];
    AtomicInteger released = new AtomicInteger();
    AtomicInteger refused = new AtomicInteger();
    CyclicBarrier start = new CyclicBarrier(threads, () -> handle[0] = allocator.grant(1000));
    Threads.run(threads, _ -> {
      for (int round = 0; round < rounds; round++) {
        start.await();
        try {
          allocator.release(handle[0]);
          released.incrementAndGet();
        } catch (IllegalArgumentException e) {
          assertThat(e).hasMessageContaining("given back before: id=");
          refused.incrementAndGet();
        }
      }
    });
    assertThat(released).hasValue(rounds);
    assertThat(refused).hasValue(rounds * (threads - 1));
    assertThat(allocator.stats().liveCount()).isZero();
  }
}
