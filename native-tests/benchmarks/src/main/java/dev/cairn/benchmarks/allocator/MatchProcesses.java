package dev.cairn.benchmarks.allocator;

import dev.cairn.benchmarks.harness.ChildJvm;
import dev.cairn.benchmarks.harness.Rounds;
import dev.cairn.benchmarks.harness.TemporaryFolder;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Plays a table's matches in processes that do nothing else, one at a time, each with its part of the rounds. What a
 * JVM compiles depends on what it has run before and on chance, and stays so: it differs by process, not by round.
 */
final class MatchProcesses {
  private static final Duration LIMIT_OF_A_PROCESS = Duration.ofMinutes(10);

  private MatchProcesses() {}

  /** The contests, in the order of the table's matches. */
  static List<Contest> played(ContestTable table, Effort effort) throws IOException, InterruptedException {
    try (var folder = TemporaryFolder.create()) {
      var children = new ChildJvm(folder.path(), LIMIT_OF_A_PROCESS);
      List<String> lines = new ArrayList<>();
      for (int process = 0; process < effort.processes(); process++) {
        System.err.printf("%s: process %d of %d%n", table.name(), process + 1, effort.processes());
        lines.addAll(children.run(MatchMain.class, List.of(table.name(), effort.toString())));
      }
      return table.matches(effort).stream().map(it -> Contest.of(it.rule(), rounds(it.rule().key(), lines))).toList();
    }
  }

  /** @throws IllegalArgumentException when no line is of this match */
  private static Rounds rounds(String key, List<String> lines) {
    List<Double> cairn = new ArrayList<>();
    List<Double> ort = new ArrayList<>();
    for (String line : lines) {
      String[] words = line.split(" ", -1);
      if (words[0].equals(key)) {
        cairn.add(Double.valueOf(words[1]));
        ort.add(Double.valueOf(words[2]));
      }
    }
    return new Rounds(List.of(cairn, ort));
  }
}
