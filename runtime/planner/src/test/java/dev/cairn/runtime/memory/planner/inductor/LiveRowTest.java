package dev.cairn.runtime.memory.planner.inductor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Against lists of ranges compared pair by pair, with Inductor's rules for empty ranges written out. */
class LiveRowTest {
  @Test
  void equalsListsThatAreWalked() {
    requireWalked(0, 150);
  }

  @Test
  @Tag("long")
  void manyEqualListsThatAreWalked() {
    requireWalked(150, 400);
  }

  private static void requireWalked(long from, long to) {
    for (long seed = from; seed < to; seed++) {
      Random random = new Random(seed);
      int steps = 2 + random.nextInt(40);
      LiveRow row = new LiveRow();
      List<List<LiveRange>> naive = new ArrayList<>();
      for (int turn = 0; turn < 40; turn++) {
        int begin = random.nextInt(steps);
        int length = random.nextInt(3) == 0 ? 0 : random.nextInt(Math.min(6, steps - begin));
        LiveRange range = new LiveRange(begin, begin + length);
        int expected = naive(naive, range);
        assertThat(row.childAt(range)).as("seed %d turn %d: %s in %s", seed, turn, range, naive).isEqualTo(expected);
        if (expected == LiveRow.NONE) {
          row.add(range, naive.size());
          naive.add(new ArrayList<>(List.of(range)));
        } else if (expected != LiveRow.SEVERAL && random.nextBoolean()) {
          row.add(range, expected);
          naive.get(expected).add(range);
        }
      }
      LiveRow one = row.asOneChild();
      LiveRow[] apart = row.byChild(naive.size());
      for (int begin = 0; begin < steps; begin++) {
        for (int end = begin; end < steps; end++) {
          LiveRange range = new LiveRange(begin, end);
          int expected = naive(naive, range);
          boolean isRight = row.childAt(range) == expected
            && one.childAt(range) == (expected == LiveRow.NONE ? LiveRow.NONE : 0);
          for (int child = 0; child < apart.length; child++) {
            isRight &= (apart[child].childAt(range) == 0) == overlaps(naive.get(child), range);
          }
          if (!isRight) {
            throw new AssertionError("seed %d: %s in %s".formatted(seed, range, naive));
          }
        }
      }
      assertThat(row.begin()).isEqualTo(naive.stream().flatMap(List::stream).mapToLong(LiveRange::begin).min()
        .orElseThrow());
      assertThat(row.end()).isEqualTo(naive.stream().flatMap(List::stream).mapToLong(LiveRange::end).max()
        .orElseThrow());
    }
  }

  private static int naive(List<List<LiveRange>> children, LiveRange range) {
    List<Integer> found = IntStream.range(0, children.size()).filter(i -> overlaps(children.get(i), range)).boxed()
      .toList();
    return found.size() > 1 ? LiveRow.SEVERAL : found.isEmpty() ? LiveRow.NONE : found.getFirst();
  }

  private static boolean overlaps(List<LiveRange> child, LiveRange asked) {
    return child.stream().anyMatch(lying -> {
      if (lying.length() == 0) {
        return asked.begin() < lying.begin() && lying.begin() < asked.end();
      }
      return asked.length() == 0
        ? lying.begin() <= asked.begin() && asked.begin() < lying.end()
        : lying.begin() < asked.end() && asked.begin() < lying.end();
    });
  }
}
