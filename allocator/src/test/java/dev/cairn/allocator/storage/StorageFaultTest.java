package dev.cairn.allocator.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.Owner;
import dev.cairn.allocator.source.FakeSubAllocator;
import dev.cairn.allocator.source.FaultySubAllocator;
import dev.cairn.allocator.source.FaultySubAllocator.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Source and listener fail at any call: invariants hold after it, a failed call changed nothing, the next works. */
class StorageFaultTest {
  private static final List<Fault> FAULTS = List.of(Fault.values());

  private static final StorageOptions OPTIONS = StorageOptions.UNLIMITED.withLimitBytes(1 << 18);
  private static final int KINDS = 4;

  private static RegionAllocator manager(int kind, FaultySubAllocator source, AllocationListener listener) {
    return switch (kind) {
      case 0 -> new NaiveStorageManager(source, OPTIONS.limitBytes(), listener);
      case 1 -> new UnpooledStorageManager(source, Rounding.powerOfTwo(), OPTIONS, listener);
      case 2 -> new PooledStorageManager(source, Rounding.powerOfTwo(), OPTIONS, listener);
      default -> new PooledStorageManager(source, Rounding.naive(), OPTIONS.withReservePercent(5), listener);
    };
  }

  static IntStream kinds() {
    return IntStream.range(0, KINDS);
  }

  /** Throws at the calls that a plan says, of any kind. */
  private static final class FaultyListener implements AllocationListener {
    private final LongFunction<Fault> plan;
    private long calls;

    FaultyListener(LongFunction<Fault> plan) {
      this.plan = plan;
    }

    private void next() {
      switch (plan.apply(calls++)) {
        case THROW, REFUSE -> throw new IllegalStateException("listener throws on purpose: call=" + calls);
        case ERROR -> throw new OutOfMemoryError("listener throws on purpose: call=" + calls);
        case NONE -> {}
      }
    }

    @Override
    public void granted(long allocationId, long address, long bytes, long requestedBytes, Owner owner) {
      next();
    }

    @Override
    public void freed(long allocationId, long address, long bytes) {
      next();
    }

    @Override
    public void regionAdded(long address, long bytes) {
      next();
    }

    @Override
    public void regionReleased(long address, long bytes) {
      next();
    }

    @Override
    public void refused(OutOfMemory refusal) {
      next();
    }
  }

  /** Ten calls that meet every path; returns how many calls the source had. */
  private static long script(int kind, long faultAt, Fault fault) {
    FakeSubAllocator fake = FakeSubAllocator.scattered(1 << 17);
    FaultySubAllocator source = new FaultySubAllocator(fake, call -> call == faultAt ? fault : Fault.NONE);
    RegionAllocator manager = manager(kind, source, AllocationListener.silent());
    List<Block> held = new ArrayList<>();
    for (long bytes : new long[] {3000, 50_000, 3000, 1 << 20, 10_000}) {
      attempt(manager, () -> held.add(manager.allocate(bytes)));
    }
    attempt(manager, () -> held.add(manager.reserve(AllocationRequest.of(9000))));
    freeAll(manager, held, 1);
    // The idle regions leave no room in the source, so that the pool is emptied during the request.
    attempt(manager, () -> held.add(manager.allocate(100_000)));
    freeAll(manager, held, 0);
    attempt(manager, manager::trim);
    freeAll(manager, held, 0);
    assertThat(manager.stats().bytesInUse()).isZero();
    attempt(manager, manager::close);
    if (fake.heldBytes() > 0) {
      manager.close();
    }
    assertThat(fake.heldBytes()).isZero();
    manager.validate();
    return source.calls();
  }

  private static void freeAll(RegionAllocator manager, List<Block> held, int keep) {
    for (int i = held.size() - 1; i >= keep; i--) {
      Block block = held.get(i);
      boolean[] freed = new boolean[1];
      attempt(manager, () -> {
        manager.free(block);
        freed[0] = true;
      });
      if (freed[0]) {
        held.remove(i);
      }
    }
  }

  private static void attempt(RegionAllocator manager, Runnable call) {
    AllocatorStats.Blocks before = manager.stats().all();
    try {
      call.run();
    } catch (OutOfMemory | IllegalStateException | OutOfMemoryError e) {
      // Nothing was granted and nothing was lost.
      assertThat(manager.stats().all()).isEqualTo(before);
    }
    manager.validate();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void aFaultAtAnyCallOfTheSourceChangesNothingElse(int kind) {
    long calls = script(kind, -1, Fault.NONE);
    assertThat(calls).isGreaterThan(8);
    for (Fault fault : Fault.values()) {
      for (long at = 0; at < calls + 3; at++) {
        script(kind, at, fault);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void randomFaultsOfSourceAndListenerLoseNothing(int kind) {
    requireNothingLost(kind, 0, 10);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  @Tag("long")
  void moreRandomFaultsLoseNothing(int kind) {
    requireNothingLost(kind, 10, 60);
  }

  private static void requireNothingLost(int kind, int first, int end) {
    for (int seed = first; seed < end; seed++) {
      Random random = new Random(seed);
      boolean[] quiet = new boolean[1];
      LongFunction<Fault> plan = _ -> quiet[0] || random.nextInt(6) > 0
        ? Fault.NONE
        : FAULTS.get(random.nextInt(FAULTS.size()));
      FakeSubAllocator fake = FakeSubAllocator.scattered(1 << 17);
      FaultySubAllocator source = new FaultySubAllocator(fake, plan);
      RegionAllocator manager = manager(kind, source, new FaultyListener(plan));
      List<Block> held = new ArrayList<>();
      for (int call = 0; call < 300; call++) {
        tryAny(manager, held, random);
        manager.validate();
        assertThat(manager.stats().poolBytes()).isEqualTo(fake.heldBytes());
      }
      quiet[0] = true;
      forgetGone(manager, held);
      held.forEach(manager::free);
      manager.free(manager.allocate(100));
      manager.close();
      assertThat(fake.heldBytes()).isZero();
    }
  }

  private static void tryAny(RegionAllocator manager, List<Block> held, Random random) {
    long live = manager.stats().liveCount();
    try {
      switch (random.nextInt(5)) {
        case 0, 1 -> held.add(manager.allocate(AllocationRequest.of(1 + random.nextInt(30_000))
          .withAlignment(256L << random.nextInt(5))));
        case 2 -> manager.trim();
        case 3 -> held.add(manager.reserve(AllocationRequest.of(1 + random.nextInt(9000))));
        default -> {
          Block block = held.isEmpty() ? manager.allocate(0) : held.get(random.nextInt(held.size()));
          if (random.nextBoolean()) {
            manager.free(block);
          } else {
            manager.freeDirectly(block);
          }
          held.remove(block);
        }
      }
    } catch (OutOfMemory | IllegalStateException | OutOfMemoryError e) {
      assertThat(manager.stats().liveCount()).isBetween(live - 1, live);
      forgetGone(manager, held);
    }
  }

  private static void forgetGone(RegionAllocator manager, List<Block> held) {
    List<Long> live = manager.memoryMap().chunks().filter(chunk -> chunk.inUse()).map(chunk -> chunk.allocationId())
      .toList();
    held.removeIf(block -> !live.contains(block.allocationId()));
    assertThat(held).hasSameSizeAs(live);
  }

  @Test
  void aFreeThatTheNaiveSourceRefusesMayBeTriedAgain() {
    FakeSubAllocator fake = FakeSubAllocator.scattered(1 << 20);
    FaultySubAllocator source = new FaultySubAllocator(fake, call -> call == 1 ? Fault.REFUSE : Fault.NONE);
    RegionAllocator manager = manager(0, source, AllocationListener.silent());
    Block block = manager.allocate(100);
    attempt(manager, () -> manager.free(block));
    assertThat(manager.stats().liveCount()).isOne();
    manager.free(block);
    assertThat(fake.heldBytes()).isZero();
    manager.close();
  }
}
