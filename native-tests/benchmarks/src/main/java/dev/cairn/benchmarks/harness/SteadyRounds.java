package dev.cairn.benchmarks.harness;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleSupplier;
import java.util.stream.IntStream;

/**
 * Rounds on a machine whose speed varies for all contestants alike. The machine is measured before and
 * after each round; a round counts when both are near to the lower quartile of all measurements, whatever was scored.
 *
 * @param counted the rounds that count; all of them where four times as many as wanted have brought too few
 * @param enough whether as many counted as were wanted
 * @param played how many there were
 * @param machine what was measured of the machine
 */
public record SteadyRounds(Rounds counted, boolean enough, int played, Sample machine) {
  /** The largest factor between a measurement and the usual. */
  private static final double NEAR = 1.5;
  private static final int USUAL_PERCENT = 25;
  private static final int MOST_TIMES = 4;

  /**
   * Plays until enough count.
   *
   * @param warmUps rounds before, which never count: where turns are short, one compiles too little
   * @param wanted at least so many should count
   * @param machine lower is better
   */
  public static SteadyRounds played(int warmUps, int wanted, List<? extends DoubleSupplier> contestants,
    DoubleSupplier machine) {
    for (int round = -warmUps; round < 0; round++) {
      Rounds.one(round, contestants);
    }
    List<List<Double>> all = new ArrayList<>();
    List<Double> measured = new ArrayList<>(List.of(machine.getAsDouble()));
    List<Integer> steady = List.of();
    while (steady.size() < wanted && all.size() < MOST_TIMES * wanted) {
      all.add(Rounds.one(all.size(), contestants));
      measured.add(machine.getAsDouble());
      steady = steady(measured);
    }
    boolean enough = steady.size() >= wanted;
    List<List<Double>> counted = enough ? steady.stream().map(all::get).toList() : all;
    return new SteadyRounds(Rounds.ofEach(counted), enough, all.size(), Sample.of(measured));
  }

  private static List<Integer> steady(List<Double> measured) {
    double usual = Sample.of(measured).percentile(USUAL_PERCENT);
    return IntStream.range(0, measured.size() - 1)
      .filter(round -> isNear(measured.get(round), usual) && isNear(measured.get(round + 1), usual)).boxed().toList();
  }

  private static boolean isNear(double measured, double usual) {
    return measured <= NEAR * usual && usual <= NEAR * measured;
  }

  /** {@code 25 of 40}, or {@code all 100, as too few were steady}. */
  public String counts() {
    return enough
      ? "%d of %d".formatted(counted.scores().get(0).size(), played)
      : "all %d, as too few were steady".formatted(played);
  }

  /** What {@link #counts} says, and the median, least and most of the machine. */
  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%s; %.0f (%.0f..%.0f)", counts(), machine.median(), machine.min(),
      machine.max());
  }
}
