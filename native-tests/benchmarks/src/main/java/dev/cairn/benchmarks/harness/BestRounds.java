package dev.cairn.benchmarks.harness;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleSupplier;
import java.util.stream.IntStream;

/**
 * Rounds on a machine that is at times another for everybody. Each goes between two measurements of the machine, and
 * counts when both are near to its usual better state, the lower quartile of all, whatever the contestants scored.
 *
 * @param counted the rounds that count; all of them where four times as many as wanted have brought too few
 * @param played how many there were
 * @param machine what was measured of the machine
 */
public record BestRounds(Rounds counted, int played, Sample machine) {
  private static final double NEAR = 1.5;
  private static final int USUAL_PERCENT = 25;
  private static final int MOST_TIMES = 4;

  /**
   * Plays until enough count.
   *
   * @param warmUps rounds before, which never count
   * @param wanted how many should count
   * @param machine lower is better
   */
  public static BestRounds played(int warmUps, int wanted, List<? extends DoubleSupplier> contestants,
    DoubleSupplier machine) {
    for (int round = -warmUps; round < 0; round++) {
      Rounds.one(round, contestants);
    }
    List<List<Double>> all = new ArrayList<>();
    List<Double> measured = new ArrayList<>(List.of(machine.getAsDouble()));
    List<Integer> good = List.of();
    while (good.size() < wanted && all.size() < MOST_TIMES * wanted) {
      all.add(Rounds.one(all.size(), contestants));
      measured.add(machine.getAsDouble());
      good = good(measured);
    }
    List<List<Double>> counted = good.size() < wanted ? all : good.stream().map(all::get).toList();
    return new BestRounds(Rounds.ofEach(counted), all.size(), Sample.of(measured));
  }

  private static List<Integer> good(List<Double> measured) {
    double usual = Sample.of(measured).percentile(USUAL_PERCENT);
    return IntStream.range(0, measured.size() - 1)
      .filter(round -> isNear(measured.get(round), usual) && isNear(measured.get(round + 1), usual)).boxed().toList();
  }

  private static boolean isNear(double measured, double usual) {
    return measured <= NEAR * usual && usual <= NEAR * measured;
  }

  /** {@code 25 of 40 rounds count; 32 (30..170)}. */
  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%d of %d rounds count; %.0f (%.0f..%.0f)", counted.scores().get(0).size(), played,
      machine.median(), machine.min(), machine.max());
  }
}
