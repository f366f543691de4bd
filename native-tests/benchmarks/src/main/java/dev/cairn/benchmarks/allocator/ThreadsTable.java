package dev.cairn.benchmarks.allocator;

import dev.cairn.benchmarks.allocator.arena.ArenaKind;
import dev.cairn.benchmarks.allocator.workload.OneLockWorkload;
import dev.cairn.benchmarks.allocator.workload.PairWorkload;
import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.Goal;
import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.Rounds;
import dev.cairn.benchmarks.harness.Sample;
import dev.cairn.benchmarks.harness.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Several threads on one allocator, beside the same work with one lock. */
final class ThreadsTable implements FigureTable {
  private static final List<Integer> THREADS = List.of(1, 2, 4, 8);
  private static final int PAIRS = 1000;
  private static final Goal NO_LOSS = Goal.atMost(1);
  private static final int MOST_THREADS_EVERYWHERE = 4;

  @Override
  public String name() {
    return "threads";
  }

  @Override
  public Section measured(Effort effort) {
    var timer = new JmhTimer(effort);
    var table = new MarkdownTable("threads", "Cairn, ns", "one lock, ns", "ratio (spread)", "goal", "ONNX Runtime, ns");
    List<Figure> figures = new ArrayList<>();
    for (int threads : threads(Runtime.getRuntime().availableProcessors())) {
      Rounds played = Rounds.played(effort.manyRounds(), List.of(
        () -> timer.together(Trial.of(PairWorkload.class, ArenaKind.CAIRN, PAIRS).withThreads(threads)),
        () -> timer.together(Trial.of(OneLockWorkload.class, ArenaKind.CAIRN, PAIRS).withThreads(threads)),
        () -> timer.together(Trial.of(PairWorkload.class, ArenaKind.ORT, PAIRS).withThreads(threads))));
      Sample ratios = played.ratios(0, 1);
      Optional<Goal> goal = goal(threads);
      table.row(Integer.toString(threads), Contest.nanos(played.of(0)), Contest.nanos(played.of(1)), ratios
        .withSpread(), goal.map(Goal::toString).orElse(""), Contest.nanos(played.of(2)));
      figures.add(new Figure("threads@%d/one-lock".formatted(threads), ratios.median(), 2, goal));
      System.err.printf(Locale.ROOT, "threads=%d: cairn=%.1fns one-lock=%.1fns ort=%.1fns%n", threads,
        played.of(0).median(), played.of(1)
          .median(),
        played.of(2).median());
    }
    return new Section("Threads", text(effort), table, figures);
  }

  private static String text(Effort effort) {
    return """
      Each thread takes 1 KiB and gives it back, over and over, all on one allocator. The time is that of a pair with
      all threads together: half as long where two threads do twice as much. "One lock" is the same allocator with a
      lock of its own around each call; the ratio is Cairn's time over that. ONNX Runtime's arena, which has one lock,
      is there for comparison. Eight threads are measured where there are eight processors. Turns are short, and there
      are %d rounds.
      """.formatted(effort.manyRounds());
  }

  static List<Integer> threads(int processors) {
    return THREADS.stream().filter(it -> it <= Math.max(processors, MOST_THREADS_EVERYWHERE)).toList();
  }

  private static Optional<Goal> goal(int threads) {
    return threads == 1 ? Optional.empty() : Optional.of(NO_LOSS);
  }
}
