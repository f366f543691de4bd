package dev.cairn.allocator.bfc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.allocator.AllocationListener;
import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.Validated;
import dev.cairn.allocator.source.FakeSubAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How much larger the pool gets with magazines than without, over the same calls of one thread. */
class FrontedFragmentationTest {
  private static final Logger LOG = LoggerFactory.getLogger(FrontedFragmentationTest.class);
  private static final int SEEDS = 8;
  private static final int PHASES = 8;
  private static final int CALLS = 4000;

  @RegisterExtension
  final Validated validated = new Validated();

  @Test
  void theSmallestPoolIsWithinTwoPercent() {
    double sumOfLogs = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      double plain = smallestLimit(seed, false, 1 << 20, 1 << 28);
      double fronted = smallestLimit(seed, true, (long) (plain * 0.8), (long) (plain * 1.3));
      sumOfLogs += Math.log(fronted / plain);
      LOG.info("smallest pool: seed={} plainBytes={} frontedBytes={} ratio={}", seed, (long) plain, (long) fronted,
        fronted / plain);
    }
    double mean = Math.exp(sumOfLogs / SEEDS);
    LOG.info("smallest pool: geometric mean of ratios={}", mean);
    assertThat(mean).isLessThan(1.02);
  }

  @Test
  void aGrowingPoolStaysWithinTwoPercent() {
    double sumOfLogs = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      BfcOptions options = BfcOptions.DEFAULT.withGrowth(BfcOptions.Growth.AS_REQUESTED);
      double plain = run(seed, newAllocator(options, false)).peakPoolBytes();
      double fronted = run(seed, newAllocator(options, true)).peakPoolBytes();
      sumOfLogs += Math.log(fronted / plain);
      LOG.info("growing pool: seed={} plainBytes={} frontedBytes={} ratio={}", seed, (long) plain, (long) fronted,
        fronted / plain);
    }
    double mean = Math.exp(sumOfLogs / SEEDS);
    LOG.info("growing pool: geometric mean of ratios={}", mean);
    assertThat(mean).isLessThan(1.02);
  }

  private Allocator newAllocator(BfcOptions options, boolean fronted) {
    FakeSubAllocator source = FakeSubAllocator.scattered(1L << 40);
    return validated.watch(fronted
      ? new FrontedAllocator(source, options, FrontOptions.DEFAULT, AllocationListener.silent())
      : new BfcAllocator(source, options));
  }

  /** The smallest fixed pool that serves all calls, to half a percent. */
  private double smallestLimit(int seed, boolean fronted, long from, long to) {
    long low = from;
    long high = to;
    while (high - low > high / 200) {
      long limit = (low + high) / 512 * 256;
      BfcOptions options = BfcOptions.DEFAULT.withGrowth(BfcOptions.Growth.WHOLE).withLimitBytes(limit);
      if (run(seed, newAllocator(options, fronted)).refusalCount() == 0) {
        high = limit;
      } else {
        low = limit;
      }
    }
    return high;
  }

  /** Phases with sizes and lifetimes of their own; what a phase leaves behind lives on among the next one's. */
  private static AllocatorStats run(int seed, Allocator allocator) {
    Random random = new Random(seed);
    List<Block> live = new ArrayList<>();
    for (int phase = 0; phase < PHASES; phase++) {
      int smallest = 1 << random.nextInt(13);
      int range = smallest * (1 + random.nextInt(30));
      int most = 200 + random.nextInt(800);
      int large = random.nextInt(40);
      for (int call = 0; call < CALLS; call++) {
        if (live.size() < most && random.nextInt(100) < 55) {
          boolean isLarge = random.nextInt(100) < large;
          long bytes = isLarge ? 32_768 + random.nextInt(500_000) : smallest + random.nextInt(range);
          try {
            live.add(allocator.allocate(bytes));
          } catch (OutOfMemory e) {
            return allocator.stats();
          }
        } else if (!live.isEmpty()) {
          allocator.free(live.remove(random.nextInt(live.size())));
        }
      }
    }
    return allocator.stats();
  }
}
