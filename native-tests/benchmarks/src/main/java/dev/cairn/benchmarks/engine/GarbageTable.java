package dev.cairn.benchmarks.engine;

import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.Goal;
import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.Section;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a push leaves to the collector. */
final class GarbageTable implements EngineTable {
  private static final Goal A_PUSH = Goal.atMost(64);
  private static final int WARMUPS = 20;
  private static final int TIMES = 5;

  @Override
  public String name() {
    return "garbage";
  }

  @Override
  public Section measured(Rivals rivals, Effort effort) {
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
    return new Section("Garbage", text(), table, figures);
  }

  private static double bytes(Contestant contestant, Workload workload, Effort effort) {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < WARMUPS + TIMES; i++) {
      long before = allocatedBytes();
      contestant.run(workload, effort.operations());
      long bytes = allocatedBytes() - before;
      if (i >= WARMUPS) {
        least = Math.min(least, bytes);
      }
    }
    return least / (double) effort.operations();
  }

  private static long allocatedBytes() {
    if (ManagementFactory.getThreadMXBean() instanceof com.sun.management.ThreadMXBean threads) {
      return threads.getTotalThreadAllocatedBytes();
    }
    throw new IllegalStateException("this JVM does not say what threads allocate");
  }

  private static String text() {
    return """
      Bytes that all threads together allocate on the Java heap for an operation, from push to end, once everything is
      compiled: the least of %d times, since the JVM allocates for itself, too. Where all is made anew, that includes the
      operation and what it touches.
      """.formatted(TIMES);
  }
}
