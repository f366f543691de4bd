package dev.cairn.runtime.compile;

import dev.cairn.allocator.report.StatsText;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The effect of recomputation on a model that needs more memory than it may take, or how far it came.
 *
 * @param fits whether the plan keeps to the budget; if not, the plan is the one without recomputations
 * @param budgetBytes what the plan's pools may take; {@link Long#MAX_VALUE} where hints alone had steps run again
 * @param peakBytes what they take, or the least that was found; below the floor nothing is searched
 * @param peakWithoutBytes what they take without recomputations
 * @param cost of all steps
 * @param costOnce of all steps, each once
 * @param bound no words within the budget cost less; {@link Long#MAX_VALUE} when none is
 * @param steps how many steps run
 * @param recomputations the names of the steps that run again
 * @param floorBytes what one step needs by itself, so that no plan takes less
 * @param leastBytes what the model takes at least with all that lies beside the plan, whichever steps run again and
 *   whatever is copied
 * @param floorStep the name of the step that makes the floor
 * @param floorHolds its operands and results, the largest first: name, type and bytes
 * @param splitSums how many sums add up one addend at a time
 */
public record Recomputed(boolean fits, long budgetBytes, long peakBytes, long peakWithoutBytes, long cost,
  long costOnce, long bound, int steps, List<String> recomputations, long floorBytes, long leastBytes, String floorStep,
  List<String> floorHolds, int splitSums) {
  public Recomputed {
    recomputations = List.copyOf(recomputations);
    floorHolds = List.copyOf(floorHolds);
  }

  /** The added work of the recomputations, as a part of the work without them. */
  public double overhead() {
    return part(cost);
  }

  /** This outcome, for a graph in which hints already had steps run again. */
  Recomputed after(Recomputed hinted) {
    List<String> all = Stream.concat(hinted.recomputations.stream(), recomputations.stream()).toList();
    return new Recomputed(fits, budgetBytes, peakBytes, hinted.peakWithoutBytes, cost, hinted.costOnce, bound, steps,
      all, floorBytes, leastBytes, floorStep, floorHolds, splitSums);
  }

  private double part(long of) {
    return costOnce == 0 ? 0 : (double) (of - costOnce) / costOnce;
  }

  /** One line: the changes and their cost, or the missing bytes. */
  @Override
  public String toString() {
    if (!fits) {
      String found = budgetBytes < floorBytes ? "" : "the least found is " + StatsText.bytes(peakBytes) + ", and ";
      return "no recomputation brings the plan to %s: %sno plan takes less than %s, at %s, which holds %s".formatted(
        StatsText.bytes(budgetBytes), found, StatsText.bytes(floorBytes), floorStep, String.join(", ", floorHolds));
    }
    String sums = splitSums == 0 ? "" : "%d sums add up one addend at a time".formatted(splitSums);
    String how = !recomputations.isEmpty()
      ? "by recompute"
      : sums.isEmpty() ? "by another order of its steps" : "as " + sums;
    String price = recomputations.isEmpty()
      ? ""
      : String.format(Locale.ROOT, ": %d of %d steps run again, +%.1f %% work (at least +%.1f %%)",
        recomputations.size(),
        steps, 100 * overhead(), 100 * part(bound));
    return "%s%s%s, peak %s, %s without".formatted(how, price,
      recomputations.isEmpty() || sums.isEmpty() ? "" : ", " + sums,
      StatsText.bytes(peakBytes), StatsText.bytes(peakWithoutBytes));
  }
}
