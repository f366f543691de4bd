package dev.cairn.runtime.compile;

import dev.cairn.allocator.report.StatsText;
import java.util.Locale;

/**
 * The effect of offload on a model that needs more of a GPU's memory than it may take.
 *
 * @param values how many results wait in the host's memory
 * @param copiedBytes in each direction, in one run
 * @param hostBytes of page-locked memory that the plan takes
 * @param peakBytes of the plan on the device
 * @param peakWithoutBytes of the plan on the device without copies and recomputations
 * @param waited how long steps wait for copies, as a part of their work: predicted without a clock
 * @param hidden the part of the copies' time in which steps run: predicted, too
 */
public record Offloaded(int values, long copiedBytes, long hostBytes, long peakBytes, long peakWithoutBytes,
  double waited, double hidden) {
  /** One line: the changes and their cost. */
  @Override
  public String toString() {
    return String.format(Locale.ROOT,
      "%d results (%s) wait in %s of the host's memory, peak %s, %s without: steps wait %.1f %% of their work, %.0f %% "
        + "of the copies' time is hidden (predicted)",
      values, StatsText.bytes(copiedBytes), StatsText.bytes(hostBytes), StatsText.bytes(peakBytes), StatsText.bytes(
        peakWithoutBytes),
      100 * waited, 100 * hidden);
  }
}
