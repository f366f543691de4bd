package dev.cairn.runtime.memory.planner.inductor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RangePeaksTest {
  @Test
  void equalsAnArrayThatIsWalked() {
    for (int size : new int[] {1, 2, 3, 4, 5, 7, 8, 9, 31, 32, 33, 100}) {
      Random random = new Random(size);
      long[] naive = new long[size];
      RangePeaks peaks = new RangePeaks(size);
      for (int i = 0; i < 500; i++) {
        int from = random.nextInt(size);
        int to = from + 1 + random.nextInt(size - from);
        if (random.nextBoolean()) {
          long amount = random.nextLong(1_000_000_000_000L);
          peaks.add(from, to, amount);
          for (int j = from; j < to; j++) {
            naive[j] += amount;
          }
        }
        assertThat(peaks.max(from, to)).as("size %d turn %d", size, i)
          .isEqualTo(Arrays.stream(naive, from, to).max().orElseThrow());
      }
    }
  }
}
