package dev.cairn.benchmarks.harness;

import java.util.List;
import java.util.function.DoubleSupplier;
import java.util.stream.IntStream;

/**
 * The scores of several contestants, round by round: in each round every one has its turn, in the next in the opposite
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
    one(-1, contestants);
    return ofEach(IntStream.range(0, rounds).mapToObj(round -> one(round, contestants)).toList());
  }

  /** Plays one round, every other the other way round; returns the scores in the order of the contestants. */
  static List<Double> one(int round, List<? extends DoubleSupplier> contestants) {
    List<Integer> forward = IntStream.range(0, contestants.size()).boxed().toList();
    var scores = new Double[contestants.size()];
    for (int contestant : round % 2 == 0 ? forward : forward.reversed()) {
      scores[contestant] = contestants.get(contestant).getAsDouble();
    }
    return List.of(scores);
  }

  /** Turns the scores of each round into those of each contestant. */
  static Rounds ofEach(List<List<Double>> rounds) {
    return new Rounds(IntStream.range(0, rounds.get(0).size())
      .mapToObj(contestant -> rounds.stream().map(it -> it.get(contestant)).toList()).toList());
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
