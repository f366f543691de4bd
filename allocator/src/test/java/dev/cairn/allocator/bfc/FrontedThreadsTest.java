package dev.cairn.allocator.bfc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.MemoryMap;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.Owner;
import dev.cairn.allocator.Validated;
import dev.cairn.allocator.source.FakeSubAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many threads at one front, real and virtual, which hand blocks to each other. */
@SuppressWarnings("ThreadPriorityCheck") // yields make other interleavings likely
class FrontedThreadsTest {
  private static final long LIMIT_BYTES = 64L << 20;

  @RegisterExtension
  final Validated validated = new Validated();
  /** Address to end of every block that some thread holds. */
  private final TreeMap<Long, Long> held = new TreeMap<>();

  private FrontedAllocator newAllocator(FrontOptions options) {
    return validated.watch(new FrontedAllocator(FakeSubAllocator.scattered(1L << 40),
      BfcOptions.DEFAULT.withLimitBytes(LIMIT_BYTES), options, AllocationListener.silent()));
  }

  private synchronized void take(Block block) {
    Map.Entry<Long, Long> below = held.floorEntry(block.address());
    Long above = held.ceilingKey(block.address());
    assertThat(below == null || below.getValue() <= block.address()).isTrue();
    assertThat(above == null || above >= block.address() + block.bytes()).isTrue();
    held.put(block.address(), block.address() + block.bytes());
  }

  private synchronized void giveUp(Block block) {
    held.remove(block.address());
  }

  /** Threads hand blocks around; between rounds, when all are still, everything is checked. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 8, 16})
  void noByteHasTwoHoldersAndEveryPauseFindsAllInOrder(int threads) throws Exception {
    FrontedAllocator allocator = newAllocator(FrontOptions.DEFAULT.withStripes(4).withMagazineBlocks(24)
      .withStripeBytes(threads % 2 == 0 ? 1 << 20 : 40_000));
    ConcurrentLinkedQueue<Block> handed = new ConcurrentLinkedQueue<>();
    CyclicBarrier pause = new CyclicBarrier(threads, () -> {
      allocator.validate();
      assertThat(allocator.stats().liveCount()).isEqualTo(held.size());
      assertThat(allocator.stats().bytesInUse())
        .isEqualTo(held.entrySet().stream().mapToLong(one -> one.getValue() - one.getKey()).sum());
    });
    Threads.run(threads, thread -> {
      Random random = new Random(thread);
      for (int round = 0; round < 10; round++) {
        for (int i = 0; i < 24_000 / threads; i++) {
          step(allocator, random, handed);
        }
        pause.await();
      }
    });
    handed.forEach(block -> {
      giveUp(block);
      allocator.free(block);
    });
    assertThat(allocator.stats().liveCount()).isZero();
    allocator.close();
  }

  private void step(FrontedAllocator allocator, Random random, ConcurrentLinkedQueue<Block> handed) {
    if (handed.size() < 300 && random.nextInt(5) > 1) {
      Block block = allocator.allocate(1 + random.nextInt(random.nextInt(20) == 0 ? 200_000 : 5000));
      take(block);
      handed.add(block);
    } else {
      Block block = handed.poll();
      if (block != null) {
        giveUp(block);
        allocator.free(block);
      }
    }
  }

  /** Others look, trim and check all the while. */
  @Test
  void figuresAndMapsHoldTogetherWhileOthersWork() throws Exception {
    FrontedAllocator allocator = newAllocator(FrontOptions.DEFAULT);
    AtomicBoolean done = new AtomicBoolean();
    Threads.run(4, thread -> {
      if (thread == 0) {
        for (int i = 0; i < 60; i++) {
          look(allocator, i);
        }
        done.set(true);
        return;
      }
      Random random = new Random(thread);
      List<Long> mine = new ArrayList<>();
      while (!done.get()) {
        if (mine.size() < 100 && random.nextBoolean()) {
          mine.add(allocator.grant(1 + random.nextInt(60_000)));
        } else if (!mine.isEmpty()) {
          allocator.release(mine.remove(random.nextInt(mine.size())));
        }
      }
      mine.forEach(allocator::release);
    });
    assertThat(allocator.stats().liveCount()).isZero();
    allocator.close();
  }

  private static void look(FrontedAllocator allocator, int round) {
    MemoryMap map = allocator.memoryMap();
    AllocatorStats stats = map.stats();
    List<MemoryMap.ChunkEntry> inUse = map.chunks().filter(MemoryMap.ChunkEntry::inUse).toList();
    assertThat(inUse).hasSize((int) stats.liveCount());
    assertThat(inUse.stream().mapToLong(MemoryMap.ChunkEntry::bytes).sum()).isEqualTo(stats.bytesInUse());
    assertThat(inUse.stream().mapToLong(MemoryMap.ChunkEntry::requestedBytes).sum())
      .isEqualTo(stats.requestedBytesInUse());
    assertThat(map.chunks().mapToLong(MemoryMap.ChunkEntry::bytes).sum()).isEqualTo(stats.poolBytes());
    assertThat(stats.peakBytesInUse()).isGreaterThanOrEqualTo(stats.bytesInUse());
    allocator.validate();
    switch (round % 3) {
      case 0 -> allocator.trim();
      case 1 -> allocator.clearStats();
      default -> assertThatThrownBy(() -> allocator.allocate(LIMIT_BYTES + 1, "too large"))
        .isInstanceOf(OutOfMemory.class);
    }
  }

  /** Each thread frees its blocks and ends: what it leaves parked must not be lost to the one that needs it all. */
  @Test
  void whatThreadsLeftBehindServesARequestForEverything() throws Exception {
    FrontedAllocator allocator = validated.watch(new FrontedAllocator(FakeSubAllocator.scattered(1L << 40),
      BfcOptions.DEFAULT.withLimitBytes(LIMIT_BYTES).withGrowth(BfcOptions.Growth.WHOLE)));
    for (int round = 0; round < 20; round++) {
      Threads.run(4, _ -> {
        List<Block> blocks = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
          blocks.add(allocator.allocate(1 + i * 100));
        }
        blocks.forEach(allocator::free);
      });
      assertThat(allocator.parkedBytes()).isPositive();
      long all = allocator.grant(LIMIT_BYTES);
      assertThat(allocator.parkedBytes()).isZero();
      OutOfMemory refusal = catchThrowableOfType(OutOfMemory.class,
        () -> allocator.allocate(100, "late"));
      assertThat(refusal.reason()).isEqualTo(OutOfMemory.Reason.LIMIT);
      allocator.release(all);
    }
    assertThat(allocator.stats().refusalCount()).isEqualTo(20);
  }

  @Test
  void manyShortVirtualThreadsLeaveBoundedBytes() throws Exception {
    FrontOptions options = FrontOptions.DEFAULT.withStripes(4).withStripeBytes(64 << 10);
    FrontedAllocator allocator = newAllocator(options);
    int owner = allocator.ownerNumber(Owner.of("virtual"));
    List<Future<?>> done = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 20_000; i++) {
        int bytes = 1 + i * 37 % 3000;
        done.add(threads.submit(() -> {
          long handle = allocator.grant(bytes, owner);
          Thread.yield();
          allocator.release(handle);
        }));
      }
    }
    for (Future<?> one : done) {
      one.get();
    }
    assertThat(allocator.stats().liveCount()).isZero();
    assertThat(allocator.stats().allocationCount()).isEqualTo(20_000);
    assertThat(allocator.parkedBytes()).isLessThanOrEqualTo(4L * (64 << 10));
    allocator.close();
  }
}
