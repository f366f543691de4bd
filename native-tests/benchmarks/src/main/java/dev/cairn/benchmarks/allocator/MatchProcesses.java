package dev.cairn.benchmarks.allocator;

import dev.cairn.benchmarks.harness.ChildJvm;
import dev.cairn.benchmarks.harness.Rounds;
import dev.cairn.benchmarks.harness.TemporaryFolder;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Plays a table's matches in processes that do nothing else, one at a time, each with its part of the rounds. What a
 * JVM compiles depends on what it has run before and on chance, and stays so: it differs by process, not by round.
 */
final class MatchProcesses {
  // With the default rounds, one process of the longest table takes less than two minutes.
  private static final Duration LIMIT_OF_A_PROCESS = Duration.ofHours(1);

  private MatchProcesses() {}

  /** The contests, in the order of the table's matches. */
  static List<Contest> played(ContestTable table, Effort effort) throws IOException, InterruptedException {
    try (var folder = new TemporaryFolder()) {
      var children = new ChildJvm(folder.path(), LIMIT_OF_A_PROCESS);
      List<Match> matches = table.matches(effort);
      List<String> lines = new ArrayList<>();
      for (int process = 1; process <= effort.processes(); process++) {
        List<String> printed = children.run(MatchMain.class, List.of(table.getClass().getName(), effort.toString()));
        System.err.printf("%s, process %d of %d: ratios %s%n", table.name(), process, effort.processes(),
          matches.stream().map(it -> ratio(it, effort.roundsOfAProcess(it.rounds()), printed)).toList());
        lines.addAll(printed);
      }
      return matches.stream()
        .map(it -> Contest.of(it.rule(), rounds(it.rule().key(), effort.roundsOfAll(it.rounds()), lines))).toList();
    }
  }

  private static String ratio(Match match, int count, List<String> lines) {
    String key = match.rule().key();
    return String.format(Locale.ROOT, "%s=%.2f", key, rounds(key, count, lines).ratios(0, 1).median());
  }

  /**
   * The rounds of a match among the lines that processes printed.
   *
   * @throws IllegalStateException when there are not so many
   */
  static Rounds rounds(String key, int count, List<String> lines) {
    List<Double> cairn = new ArrayList<>();
    List<Double> ort = new ArrayList<>();
    for (String line : lines) {
      String[] words = line.split(" ", -1);
      if (words[0].equals(key)) {
        cairn.add(Double.valueOf(words[1]));
        ort.add(Double.valueOf(words[2]));
      }
    }
    if (cairn.size() != count) {
      throw new IllegalStateException("rounds are missing: match=%s wanted=%d played=%d".formatted(key, count,
        cairn.size()));
    }
    return new Rounds(List.of(cairn, ort));
  }
}
