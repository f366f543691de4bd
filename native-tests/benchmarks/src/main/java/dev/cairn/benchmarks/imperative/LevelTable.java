package dev.cairn.benchmarks.imperative;

import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.Goal;
import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.Section;
import dev.cairn.runtime.ndarray.ArrayRuntime;
import dev.cairn.runtime.ndarray.ArrayStats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Scanner;

/** N6: what stays after many operations. */
final class LevelTable {
  private static final int PAGE_BYTES = 4096;
  private static final String TEXT = """
    What is more after as many calls in scopes as said than after the first tenth of them: bytes in use by arrays,
    storages that arrays hold, and the share by which the process's resident memory grew (Linux).
    """;

  private LevelTable() {}

  static Section measured(ImperativeEffort effort) {
    try (var additions = new Additions()) {
      ArrayRuntime arrays = additions.arrays();
      run(additions, effort.operations() / 10);
      ArrayStats before = arrays.stats();
      double resident = residentBytes();
      run(additions, effort.operations() - effort.operations() / 10);
      ArrayStats after = arrays.stats();
      var bytes = Figure.judged("level-bytes", (double) (after.memory().bytesInUse() - before.memory()
        .bytesInUse()), 0, Goal
          .atMost(0));
      var storages = Figure.judged("level-storages", after.storages() - before.storages(), 0, Goal.atMost(0));
      var grown = Figure.judged("resident-percent", Math.max(0, (residentBytes() / resident - 1) * 100), 2, Goal.atMost(
        1));
      var table = new MarkdownTable("N6", "more", "goal").row("bytes in use, " + effort.operations() + " calls",
        MarkdownTable.number(0, bytes.value()), "<=0").row("storages", MarkdownTable.number(0, storages.value()), "<=0")
        .row("resident memory, %", MarkdownTable.number(2, grown.value()), "<=1");
      return new Section("Level memory", TEXT, table, List.of(bytes, storages, grown));
    }
  }

  private static void run(Additions additions, int operations) {
    for (int i = 0; i < operations; i += Additions.CALLS) {
      additions.run();
    }
  }

  private static double residentBytes() {
    try {
      try (var numbers = new Scanner(Files.readString(Path.of("/proc/self/statm")))) {
        numbers.nextLong();
        return (double) numbers.nextLong() * PAGE_BYTES;
      }
    } catch (IOException e) {
      return 1;
    }
  }
}
