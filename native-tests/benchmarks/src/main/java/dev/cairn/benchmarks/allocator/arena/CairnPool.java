package dev.cairn.benchmarks.allocator.arena;

import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.TrimPolicy;
import dev.cairn.allocator.bfc.BfcAllocator;
import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.bfc.SplitPolicy;
import dev.cairn.allocator.layer.TrimSchedule;
import dev.cairn.allocator.layer.TrimmingAllocator;
import dev.cairn.allocator.source.FakeSubAllocator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Trials of what a pool of Cairn's keeps and gives back. The figures don't depend on time but where said. */
public final class CairnPool {
  private static final int LIVE_BLOCKS = 64;
  private static final int TIMES = 10;
  private static final int MOST_BLOCK_BYTES = 4 << 20;
  private static final Duration PERIOD = Duration.ofMillis(100);
  private static final int CALLS = 1000;

  private CairnPool() {}

  /**
   * Reserved over live bytes after a spike of ten times what is live, {@code after} its end, with trimming in the
   * background of what is idle for 100 ms.
   */
  public static double keptAfterSpike(Duration after) throws InterruptedException {
    BfcOptions options = BfcOptions.DEFAULT.withSplit(SplitPolicy.exact())
      .withGrowth(BfcOptions.Growth.AS_REQUESTED).withCollection(BfcOptions.Collection.BEFORE_GROWTH);
    try (var pool = new TrimmingAllocator(new BfcAllocator(FakeSubAllocator.scattered(1L << 45), options),
      new TrimSchedule(PERIOD, new TrimPolicy(0, PERIOD)))) {
      Random random = new Random(1);
      List<Block> live = blocks(pool, LIVE_BLOCKS, random);
      List<Block> spike = blocks(pool, (TIMES - 1) * LIVE_BLOCKS, random);
      spike.forEach(pool::free);
      Thread.sleep(after);
      AllocatorStats stats = pool.stats();
      live.forEach(pool::free);
      return (double) stats.poolBytes() / stats.bytesInUse();
    }
  }

  private static List<Block> blocks(TrimmingAllocator pool, int count, Random random) {
    List<Block> blocks = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      blocks.add(pool.allocate(1L + random.nextInt(MOST_BLOCK_BYTES)));
    }
    return blocks;
  }

  /** In how many rounds of the same sequence, from the third on, reserved bytes were other than after the second. */
  public static int roundsThatDiffer(int rounds) {
    try (var pool = new BfcAllocator(FakeSubAllocator.scattered(1L << 45), BfcOptions.DEFAULT)) {
      long second = 0;
      int differing = 0;
      for (int round = 1; round <= rounds; round++) {
        play(pool, new Random(7));
        long reserved = pool.stats().poolBytes();
        second = round == 2 ? reserved : second;
        differing += round > 2 && reserved != second ? 1 : 0;
      }
      return differing;
    }
  }

  private static void play(BfcAllocator pool, Random random) {
    List<Long> held = new ArrayList<>();
    for (int call = 0; call < CALLS; call++) {
      if (held.isEmpty() || random.nextInt(100) < 60) {
        held.add(pool.grant(1L + random.nextInt(1 << (8 + random.nextInt(15)))));
      } else {
        pool.release(held.remove(random.nextInt(held.size())));
      }
    }
    held.forEach(pool::release);
  }
}
