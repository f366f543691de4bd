package dev.cairn.allocator.flight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.Listeners;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.Owner;
import dev.cairn.allocator.PoolEvent;
import dev.cairn.allocator.bfc.BfcAllocator;
import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.source.FakeSubAllocator;
import dev.cairn.allocator.layer.GuardingAllocator;
import dev.cairn.testing.GarbageMeter;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecentEventsTest {
  private static final Owner CONV = new Owner("conv1", "conv1:0", "f32[1,64]");
  private static final long MIB = 1L << 20;
  private static final BfcOptions FOUR_MIB = BfcOptions.DEFAULT.withLimitBytes(4 * MIB);

  private static FakeSubAllocator source() {
    return FakeSubAllocator.scattered(1L << 40);
  }

  private static OutOfMemory refused(Allocator allocator, long bytes) {
    return catchThrowableOfType(OutOfMemory.class, () -> allocator.allocate(bytes, "asker"));
  }

  private static PoolEvent grow(long address, long bytes) {
    return new PoolEvent(PoolEvent.Kind.GROW, PoolEvent.NO_GRANT, address, bytes, Owner.NONE);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void theLastOfWhatWasToldIsKeptInOrder(int seed) {
    Random random = new Random(seed);
    RecentEvents recent = new RecentEvents();
    List<PoolEvent> all = new ArrayList<>();
    for (int event = 0; event < 1000; event++) {
      long address = random.nextLong();
      long bytes = random.nextLong(Long.MAX_VALUE);
      switch (random.nextInt(4)) {
        case 0 -> {
          recent.granted(event, address, bytes, bytes / 2, CONV);
          all.add(new PoolEvent(PoolEvent.Kind.GRANT, event, address, bytes, CONV));
        }
        case 1 -> {
          recent.freed(event, address, bytes);
          all.add(new PoolEvent(PoolEvent.Kind.FREE, event, address, bytes, Owner.NONE));
        }
        case 2 -> {
          recent.regionAdded(address, bytes);
          all.add(grow(address, bytes));
        }
        default -> {
          recent.regionReleased(address, bytes);
          all.add(new PoolEvent(PoolEvent.Kind.SHRINK, PoolEvent.NO_GRANT, address, bytes, Owner.NONE));
        }
      }
      assertThat(recent.lastEvents()).isEqualTo(all.subList(Math.max(0, all.size() - RecentEvents.KEPT), all.size()));
    }
  }

  @Test
  void aFreeHasItsGrantsOwnerWhileThatIsKept() {
    RecentEvents recent = new RecentEvents();
    recent.granted(7, 256, 256, 1, CONV);
    for (int other = 0; other < RecentEvents.KEPT - 2; other++) {
      recent.regionAdded(other, 256);
    }
    recent.freed(7, 256, 256);
    assertThat(recent.lastEvents().getLast().owner()).isEqualTo(CONV);
    recent.regionAdded(0, 256);
    assertThat(recent.lastEvents().get(RecentEvents.KEPT - 2).owner()).isEqualTo(Owner.NONE);
  }

  @Test
  void aRefusalCarriesWhatTheAllocatorDidLast() {
    List<OutOfMemory> heard = new ArrayList<>();
    AllocationListener other = new AllocationListener() {
      @Override
      public void refused(OutOfMemory refusal) {
        heard.add(refusal);
      }
    };
    try (BfcAllocator allocator = new BfcAllocator(source(), FOUR_MIB, Listeners.of(other, new RecentEvents()))) {
      assertThat(refused(allocator, 5 * MIB).lastEvents()).isEmpty();
      Block first = allocator.allocate(1000, "first");
      Block second = allocator.allocate(MIB, "second");
      allocator.free(first);
      OutOfMemory refusal = refused(allocator, 3 * MIB);
      assertThat(refusal.lastEvents()).containsExactly(
        grow(first.address(), 2 * MIB),
        new PoolEvent(PoolEvent.Kind.GRANT, first.allocationId(), first.address(), 1024, Owner.of("first")),
        new PoolEvent(PoolEvent.Kind.GRANT, second.allocationId(), second.address(), second.bytes(),
          Owner.of("second")),
        new PoolEvent(PoolEvent.Kind.FREE, first.allocationId(), first.address(), 1024, Owner.of("first")));
      assertThat(heard.getLast().lastEvents()).isEqualTo(refusal.lastEvents());
      assertThat(refusal.with("a circumstance").lastEvents()).isEqualTo(refusal.lastEvents());
      allocator.free(second);
    }
  }

  @Test
  void redZonesKeepTheEvents() {
    try (var guarding = new GuardingAllocator(new BfcAllocator(source(), FOUR_MIB, new RecentEvents()))) {
      Block block = guarding.allocate(1000, "first");
      assertThat(refused(guarding, 4 * MIB).lastEvents()).extracting(PoolEvent::kind)
        .containsExactly(PoolEvent.Kind.GROW, PoolEvent.Kind.GRANT);
      guarding.free(block);
    }
  }

  @Test
  void aListenerThatThrowsWhenAskedSpoilsNothing() {
    AllocationListener listener = new AllocationListener() {
      @Override
      public List<PoolEvent> lastEvents() {
        throw new IllegalStateException("forgot");
      }
    };
    try (BfcAllocator allocator = new BfcAllocator(source(), FOUR_MIB, listener)) {
      OutOfMemory refusal = refused(allocator, 5 * MIB);
      assertThat(refusal.lastEvents()).isEmpty();
      assertThat(refusal.memoryMap().stats().refusalCount()).isEqualTo(1);
      allocator.free(allocator.allocate(1000, "next"));
      allocator.validate();
    }
  }

  @Test
  void rememberingPutsNothingOnTheHeap() {
    try (BfcAllocator allocator = new BfcAllocator(source(), FOUR_MIB, new RecentEvents())) {
      int owner = allocator.ownerNumber(CONV);
      long least = GarbageMeter.leastBytes(() -> {
        for (int i = 0; i < 5000; i++) {
          allocator.release(allocator.grant(1000, owner));
        }
      });
      assertThat(least).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {PoolEvent.NO_GRANT, Long.MIN_VALUE})
  void aGrantWithoutAnIdIsNoEvent(long id) {
    assertThatThrownBy(() -> new PoolEvent(PoolEvent.Kind.GRANT, id, 0, 256, CONV))
      .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("allocationId=" + id);
    assertThatThrownBy(() -> new PoolEvent(PoolEvent.Kind.GROW, 0, 0, 256, CONV))
      .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new PoolEvent(PoolEvent.Kind.GRANT, 0, 0, -1, CONV))
      .isInstanceOf(IllegalArgumentException.class);
  }
}
