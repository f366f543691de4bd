package dev.cairn.benchmarks.gpu;

import dev.cairn.benchmarks.harness.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleSupplier;
import java.util.stream.IntStream;

/**
 * The figures of several sides, round by round: in each round every side has its turn, in the next in the opposite
 * order, so that a machine that grows slower spoils a round and not a side.
 *
 * @param values for each side, in the order of the rounds
 */
record Turns(List<List<Double>> values) {
  Turns {
    values = values.stream().map(List::copyOf).toList();
  }

  /** Plays them. One more round goes before, and does not count: in it the JVM compiles what it needs. */
  static Turns of(int rounds, List<DoubleSupplier> sides) {
    List<List<Double>> values = new ArrayList<>();
    sides.forEach(it -> values.add(new ArrayList<>()));
    List<Integer> forward = IntStream.range(0, sides.size()).boxed().toList();
    for (int round = -1; round < rounds; round++) {
      for (int side : round % 2 == 0 ? forward : forward.reversed()) {
        double value = sides.get(side).getAsDouble();
        if (round >= 0) {
          values.get(side).add(value);
        }
      }
    }
    return new Turns(values);
  }

  Sample side(int side) {
    return Sample.of(values.get(side));
  }

  /** One side's value over another's, of each round. */
  Sample ratios(int above, int below) {
    return Sample.of(IntStream.range(0, values.get(above).size())
      .mapToObj(round -> values.get(above).get(round) / values.get(below).get(round)).toList());
  }
}
