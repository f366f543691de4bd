package dev.cairn.benchmarks.imperative;

import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.Goal;
import dev.cairn.benchmarks.harness.HeapBytes;
import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.Section;
import java.util.List;

/** N3: the garbage of a call. */
final class ArrayGarbageTable {
  private static final Goal GOAL = Goal.atMost(400);
  private static final String TEXT = """
    Bytes that all threads together allocate on the Java heap for one such call, from push to end. What is left is
    seven objects of 24 to 90 bytes: the array, its range, storage and variable; the work; and the block of memory with
    its view.
    """;

  private ArrayGarbageTable() {}

  static Section measured(ImperativeEffort effort) {
    try (var additions = new Additions()) {
      int batches = Math.max(1, effort.batches() / 10);
      for (int i = 0; i < effort.warmUps() * batches; i++) {
        additions.run();
      }
      long bytes = HeapBytes.madeBy(() -> {
        for (int i = 0; i < batches; i++) {
          additions.run();
        }
      });
      var figure = Figure.judged("bytes", (double) bytes / batches / Additions.CALLS, 0, GOAL);
      var table = new MarkdownTable("what", "bytes a call", "goal").row("N3, `a.add(b)`", MarkdownTable.number(0, figure
        .value()), GOAL.toString());
      return new Section("Garbage", TEXT, table, List.of(figure));
    }
  }
}
