package dev.cairn.benchmarks.engine;

import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.Goal;
import dev.cairn.benchmarks.harness.HeapBytes;
import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The garbage of a push. */
final class GarbageTable implements EngineTable {
  private static final Goal A_PUSH = Goal.atMost(64);
  private static final String TEXT = """
    Bytes that all threads together allocate on the Java heap for an operation, from push to end, once everything is
    compiled: the least of several times, since the JVM allocates for itself, too. Where all is made anew, that includes
    the operation and what it touches.
    """;

  @Override
  public String name() {
    return "garbage";
  }

  @Override
  public Section measured(Rivals rivals, EngineEffort effort) {
    var table = new MarkdownTable("workload", "bytes a push", "goal");
    List<Figure> figures = new ArrayList<>();
    try (Contestant cairn = new CairnContestant()) {
      for (Workload workload : Workload.values()) {
        Optional<Goal> goal = workload == Workload.WRITE || workload == Workload.REUSED
          ? Optional.of(A_PUSH)
          : Optional.empty();
        var figure = new Figure(workload.key() + "-bytes", bytes(cairn, workload, effort), 0, goal);
        table.row(workload.words(), MarkdownTable.number(1, figure.value()), goal.map(Goal::toString).orElse(""));
        figures.add(figure);
      }
    }
    System.err.println("garbage: " + figures);
    return new Section("Garbage", TEXT, table, figures);
  }

  private static double bytes(Contestant contestant, Workload workload, EngineEffort effort) {
    return HeapBytes.madeBy(() -> contestant.run(workload, effort.operations())) / (double) effort.operations();
  }
}
