package dev.cairn.allocator.bfc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.allocator.source.FakeSubAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A program that does the same over and over takes no more memory for it than the second time. */
class RepeatsTest {
  private static final int REPEATS = 1000;
  private static final int CALLS = 200;

  static Stream<BfcOptions> options() {
    BfcOptions small = BfcOptions.DEFAULT.withFirstRegionBytes(64 << 10);
    return Stream.of(small, small.withSplit(SplitPolicy.exact()),
      BfcOptions.LOW_FRAGMENTATION.withGrowth(BfcOptions.Growth.DOUBLING).withFirstRegionBytes(64 << 10),
      small.withGrowth(BfcOptions.Growth.AS_REQUESTED),
      small.withGrowth(BfcOptions.Growth.AS_REQUESTED).withCollection(BfcOptions.Collection.AT_THE_LIMIT));
  }

  @ParameterizedTest
  @MethodSource("options")
  void reservedBytesAreTheSameFromTheSecondOfAThousandRepeatsOn(BfcOptions options) {
    try (BfcAllocator allocator = new BfcAllocator(FakeSubAllocator.scattered(1L << 40), options)) {
      List<Long> reserved = new ArrayList<>();
      for (int repeat = 0; repeat < REPEATS; repeat++) {
        play(allocator, new Random(7));
        assertThat(allocator.stats().liveCount()).isZero();
        reserved.add(allocator.stats().poolBytes());
      }
      assertThat(reserved.getFirst()).isPositive();
      assertThat(reserved.subList(1, REPEATS)).containsOnly(reserved.get(1));
      allocator.validate();
    }
  }

  private static void play(BfcAllocator allocator, Random random) {
    List<Long> held = new ArrayList<>();
    for (int call = 0; call < CALLS; call++) {
      if (held.isEmpty() || random.nextInt(100) < 60) {
        held.add(allocator.grant(1 + random.nextInt(1 << (8 + random.nextInt(12)))));
      } else {
        allocator.release(held.remove(random.nextInt(held.size())));
      }
    }
    held.forEach(allocator::release);
  }
}
