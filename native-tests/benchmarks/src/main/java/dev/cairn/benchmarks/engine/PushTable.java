package dev.cairn.benchmarks.engine;

import dev.cairn.benchmarks.harness.BestRounds;
import dev.cairn.benchmarks.harness.CacheLineTrip;
import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.Goal;
import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.Rounds;
import dev.cairn.benchmarks.harness.Sample;
import dev.cairn.benchmarks.harness.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleSupplier;

/** What an operation costs from its push to its end, one thread pushing, one running. */
final class PushTable implements EngineTable {
  /** Turns of some 30 ms: the compiler has come to its end after several. */
  private static final int WARM_UPS = 8;

  @Override
  public String name() {
    return "push";
  }

  @Override
  public Section measured(Rivals rivals, Effort effort) {
    var table = new MarkdownTable("workload", "Cairn, ns", "spread", "goal", "MXNet, ns", "ratio (spread)", "goal");
    List<Figure> figures = new ArrayList<>();
    List<Double> trips = new ArrayList<>();
    try (Contestant cairn = new CairnContestant()) {
      Optional<Contestant> mxnet = rivals.engine();
      for (Workload workload : Workload.values()) {
        List<DoubleSupplier> turns = new ArrayList<>();
        turns.add(() -> nanos(cairn, workload, effort));
        mxnet.filter(it -> it.can(workload)).ifPresent(it -> turns.add(() -> nanos(it, workload, effort)));
        BestRounds best = BestRounds.played(WARM_UPS, effort.rounds(), turns, CacheLineTrip::nanos);
        Rounds played = best.counted();
        trips.addAll(best.machine().values());
        figures.add(new Figure(workload.key() + "-ns", played.of(0).median(), 0, workload.nanosGoal()));
        if (turns.size() > 1) {
          figures.add(new Figure(workload.key() + "/mxnet", played.ratios(0, 1).median(), 2, workload.ratioGoal()));
        }
        table.row(row(workload, played, workload == Workload.REUSED ? "" : Rivals.NOT_THERE));
        System.err.println("push: " + figures.subList(figures.size() - turns.size(), figures.size()) + " " + best);
      }
      mxnet.ifPresent(Contestant::close);
    }
    return new Section("Pushing", text(Sample.of(trips)), table, figures);
  }

  private static String text(Sample trips) {
    return """
    Nanoseconds an operation from the first push to the end of the last, one thread pushing, one of the engine's
    running. The work does nothing: a Java lambda here, C's `labs` in MXNet. Operations and footprints are made anew
    for each push, as MXNet's are, but in the row of operations made before, which MXNet's C interface does not offer.
    Eight rounds go before those that count, for both. Virtual processors share a core, lie side by side
    or far apart, from second to second: a cache line took %s ns from one to the other (median, least, most). A round
    counts where that was within a factor of 1.5 of its lower quartile before and behind; others are played anew.
    """.formatted("%s, %s..%s".formatted(whole(trips.median()), whole(trips.min()), whole(trips.max())));
  }

  private static double nanos(Contestant contestant, Workload workload, Effort effort) {
    long begin = System.nanoTime();
    contestant.run(workload, effort.operations());
    return (System.nanoTime() - begin) / (double) effort.operations();
  }

  private static String[] row(Workload workload, Rounds played, String missing) {
    boolean both = played.scores().size() > 1;
    return new String[] {workload.words(), whole(played.of(0).median()),
      "%s..%s".formatted(whole(played.of(0).min()), whole(played.of(0).max())), text(workload.nanosGoal()),
      both ? whole(played.of(1).median()) : missing, both ? played.ratios(0, 1).withSpread() : missing,
      text(workload.ratioGoal())};
  }

  private static String whole(double nanos) {
    return MarkdownTable.number(0, nanos);
  }

  private static String text(Optional<Goal> goal) {
    return goal.map(Goal::toString).orElse("");
  }
}
