package dev.cairn.runtime.cli;

import dev.cairn.allocator.report.StatsText;
import java.util.List;
import java.util.Map;

/**
 * Whether something fits a limit, by how much, and what would make it fit.
 *
 * @param neededBytes what it takes
 * @param limitBytes what it may take; the largest number for no limit
 * @param remedies in words, the least trouble first; empty when it fits
 */
record FitVerdict(long neededBytes, long limitBytes, List<String> remedies) {
  FitVerdict {
    remedies = List.copyOf(remedies);
  }

  static FitVerdict of(long neededBytes, long limitBytes) {
    return new FitVerdict(neededBytes, limitBytes, List.of());
  }

  boolean fits() {
    return neededBytes <= limitBytes;
  }

  long shortBytes() {
    return Math.max(0, neededBytes - limitBytes);
  }

  /** {@code fits 2.0 GiB, 1.5 GiB left}; empty without a limit. */
  String text() {
    if (limitBytes == Long.MAX_VALUE) {
      return "";
    }
    return fits()
      ? "fits %s, %s left".formatted(StatsText.bytes(limitBytes), StatsText.bytes(limitBytes - neededBytes))
      : "does not fit %s, short by %s".formatted(StatsText.bytes(limitBytes), StatsText.bytes(shortBytes()));
  }

  /** The same in bytes. */
  String exactText() {
    return fits()
      ? "fits %d, %d left".formatted(limitBytes, limitBytes - neededBytes)
      : "does not fit %d, short by %d".formatted(limitBytes, shortBytes());
  }

  /** What would make it fit, a line each; empty when it fits. */
  String advice(String indent) {
    StringBuilder text = new StringBuilder();
    for (String remedy : remedies) {
      text.append(text.isEmpty() ? String.format("%-" + indent.length() + "s", "to fit") : indent).append(remedy)
        .append(System.lineSeparator());
    }
    return text.toString();
  }

  void addTo(Map<String, Object> document) {
    document.put("fits", fits());
    if (limitBytes != Long.MAX_VALUE) {
      document.put("limitBytes", limitBytes);
      document.put("shortBytes", shortBytes());
      document.put("remedies", remedies);
    }
  }

  /** The same, behind a word and before what would help, as sentences. */
  String sentences() {
    return text().isEmpty()
      ? ""
      : "It " + text() + "." + (remedies.isEmpty()
        ? ""
        : " What would make it fit: " + String.join("; ", remedies) + ".");
  }
}
