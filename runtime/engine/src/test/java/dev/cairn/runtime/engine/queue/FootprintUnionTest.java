package dev.cairn.runtime.engine.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Footprints put together, against sets. */
class FootprintUnionTest {
  private static final Comparator<Variable> BY_NUMBER = Comparator.comparingLong(Variable::number);

  @Test
  void eachVariableIsThereOnceAndWrittenWhenOneWritesIt() {
    var made = new Variables();
    List<Variable> all = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      all.add(made.make("v" + i));
    }
    var random = new SplittableRandom(1);
    var union = new FootprintUnion(true);
    for (int round = 0; round < 3000; round++) {
      TreeSet<Variable> touched = new TreeSet<>(BY_NUMBER);
      TreeSet<Variable> written = new TreeSet<>(BY_NUMBER);
      // Of few variables and of many, so that both the same and new ones come, and none at all.
      int variables = 1 + random.nextInt(round % 3 == 0 ? 200 : 8);
      for (int footprints = random.nextInt(round % 5 == 0 ? 120 : 16); footprints > 0; footprints--) {
        List<Variable> reads = some(all, variables, random);
        List<Variable> writes = some(all, variables, random);
        reads.removeAll(writes);
        union.add("adds", Footprint.of(reads, writes));
        touched.addAll(reads);
        touched.addAll(writes);
        written.addAll(writes);
      }
      Footprint together = union.footprint();
      union.clear();
      assertThat(together.size()).as("round %d", round).isEqualTo(touched.size());
      assertThat(together.writes()).as("round %d", round).containsExactlyElementsOf(written);
      touched.removeAll(written);
      assertThat(together.reads()).as("round %d", round).containsExactlyElementsOf(touched);
    }
  }

  private static List<Variable> some(List<Variable> all, int variables, SplittableRandom random) {
    List<Variable> some = new ArrayList<>();
    random.ints(random.nextInt(4), 0, variables).distinct().forEach(i -> some.add(all.get(i)));
    return some;
  }
}
