package dev.cairn.benchmarks.harness;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleSupplier;
import java.util.stream.IntStream;

/**
 * What several contestants scored, round by round: in each round every one has its turn, in the next in the opposite
 * order, so that a machine that grows slower spoils a round and not a contestant.
 *
 * @param scores for each contestant, in the order of the rounds
 */
public record Rounds(List<List<Double>> scores) {
  public Rounds {
    scores = scores.stream().map(List::copyOf).toList();
    if (scores.stream().mapToInt(List::size).distinct().count() != 1 || scores.get(0).isEmpty()) {
      throw new IllegalArgumentException("not as many rounds for each: scores=" + scores);
    }
  }

  /** Plays them. One more round goes before, and does not count: in it the JVM compiles what it needs. */
  public static Rounds played(int rounds, List<? extends DoubleSupplier> contestants) {
    return played(1, rounds, contestants);
  }

  /** As {@link #played(int, List)}, with so many rounds before: where turns are short, one compiles too little. */
  public static Rounds played(int warmUps, int rounds, List<? extends DoubleSupplier> contestants) {
    List<List<Double>> scores = new ArrayList<>();
    contestants.forEach(it -> scores.add(new ArrayList<>()));
    List<Integer> forward = IntStream.range(0, contestants.size()).boxed().toList();
    for (int round = -warmUps; round < rounds; round++) {
      for (int contestant : round % 2 == 0 ? forward : forward.reversed()) {
        double score = contestants.get(contestant).getAsDouble();
        if (round >= 0) {
          scores.get(contestant).add(score);
        }
      }
    }
    return new Rounds(scores);
  }

  public Sample of(int contestant) {
    return Sample.of(scores.get(contestant));
  }

  /** One contestant's score over another's, of each round. */
  public Sample ratios(int above, int below) {
    List<Double> upper = scores.get(above);
    List<Double> lower = scores.get(below);
    return Sample.of(IntStream.range(0, upper.size()).mapToObj(i -> upper.get(i) / lower.get(i)).toList());
  }
}
