package dev.cairn.runtime.compile;

import dev.cairn.allocator.report.StatsText;
import java.util.Locale;

/**
 * The effect of streaming weights on a model that needs more memory than it may take, or how far it came.
 *
 * @param fits whether weights and plan keep to the limit; if not, nothing is streamed
 * @param fromFile whether steps read the model's mapped file, as on the processor; else they copy from the host's
 *   page-locked memory
 * @param constants how many constants are streamed
 * @param constantBytes of these constants
 * @param copies how many copies a run makes
 * @param copiedBytes in one run
 * @param residentBytes of the constants that stay in the device's memory
 * @param stalled how long steps wait for copies, as a part of their work; on the processor, whose threads do both, the
 *   work of the copies if that is more; predicted without a clock
 * @param neededBytes what the model needs with streamed weights; where it does not fit, the least that was found
 * @param leastBytes no choice of what to stream and to run again takes less
 */
public record Streamed(boolean fits, boolean fromFile, int constants, long constantBytes, int copies, long copiedBytes,
  long residentBytes, double stalled, long neededBytes, long leastBytes) {
  /** The same outcome, marked as one that exceeds the limit. */
  Streamed refused() {
    return new Streamed(false, fromFile, constants, constantBytes, copies, copiedBytes, residentBytes, stalled,
      neededBytes, leastBytes);
  }

  /** Where steps find streamed weights. */
  String source() {
    return fromFile ? "the model's file" : "the host's memory";
  }

  /** One line: the changes and their cost, or the missing bytes. */
  @Override
  public String toString() {
    return fits
      ? String.format(Locale.ROOT,
        "%d constants (%s) are streamed from %s: %d copies and %s in each run, %s of weights stay, %s %.1f %% of %s "
          + "work (predicted)",
        constants, StatsText.bytes(constantBytes), source(), copies, StatsText.bytes(copiedBytes),
        StatsText.bytes(residentBytes), fromFile ? "copies take" : "steps wait", 100 * stalled,
        fromFile ? "the steps'" : "their")
      : "with streamed weights it needs " + StatsText.bytes(neededBytes);
  }
}
