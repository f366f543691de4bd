package dev.cairn.allocator.bfc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.allocator.Block;
import dev.cairn.allocator.Rounding;
import dev.cairn.allocator.Validated;
import dev.cairn.allocator.source.FakeSubAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Many threads on one allocator. */
class BfcThreadsTest {
  private static final int THREADS = 8;

  @RegisterExtension
  final Validated validated = new Validated();
  private final BfcAllocator allocator = validated
    .watch(new BfcAllocator(FakeSubAllocator.contiguous(1L << 40), BfcOptions.DEFAULT));
  private final BfcAllocator unpooled = validated.watch(new BfcAllocator(FakeSubAllocator.scattered(1L << 40),
    BfcOptions.DEFAULT.withPooling(BfcOptions.Pooling.NONE).withRounding(Rounding.powerOfTwo())));
  /** Address to end of every block that some thread holds. */
  private final TreeMap<Long, Long> held = new TreeMap<>();

  private interface Work {
    void run(int thread) throws Exception;
  }

  private static void onAllThreads(Work work) throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      List<Future<?>> done = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        int thread = i;
        done.add(threads.submit(() -> {
          work.run(thread);
          return true;
        }));
      }
      for (Future<?> one : done) {
        one.get();
      }
    }
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

  @Test
  void noByteHasTwoHolders() throws Exception {
    hold(allocator);
    assertThat(allocator.memoryMap().chunks()).hasSize(1);
  }

  @Test
  void noByteOfARegionOfABlockHasTwoHolders() throws Exception {
    hold(unpooled);
    assertThat(unpooled.stats().poolBytes()).isZero();
  }

  private void hold(BfcAllocator allocator) throws Exception {
    onAllThreads(thread -> {
      Random random = new Random(thread);
      List<Block> blocks = new ArrayList<>();
      for (int i = 0; i < 10_000; i++) {
        if (blocks.size() < 30 && random.nextInt(5) > 1) {
          blocks.add(allocator.allocate(1 + random.nextInt(50_000)));
          take(blocks.getLast());
        } else if (!blocks.isEmpty()) {
          Block block = blocks.remove(random.nextInt(blocks.size()));
          giveUp(block);
          allocator.free(block);
        }
      }
      for (Block block : blocks) {
        giveUp(block);
        allocator.free(block);
      }
    });
    assertThat(allocator.stats().liveCount()).isZero();
  }

  @Test
  void ofManyWhoFreeABlockOneSucceeds() throws Exception {
    for (int round = 0; round < 200; round++) {
      Block block = allocator.allocate(1000);
      AtomicInteger freed = new AtomicInteger();
      onAllThreads(_ -> {
        try {
          allocator.free(block);
          freed.incrementAndGet();
        } catch (IllegalArgumentException freedBefore) {
          assertThat(freedBefore).hasMessageContaining("already freed");
        }
      });
      assertThat(freed).hasValue(1);
    }
  }
}
