package dev.cairn.benchmarks.engine;

import dev.cairn.benchmarks.harness.CacheLineTrip;
import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.Goal;
import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.Rounds;
import dev.cairn.benchmarks.harness.Sample;
import dev.cairn.benchmarks.harness.Section;
import dev.cairn.benchmarks.harness.SteadyRounds;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleSupplier;

/** The time of an operation from its push to its end, with one thread that pushes and one that runs. */
final class PushTable implements EngineTable {
  /** Turns of some 30 ms: the compiler has come to its end after several. */
  private static final int WARM_UPS = 8;

  @Override
  public String name() {
    return "push";
  }

  @Override
  public Section measured(Rivals rivals, EngineEffort effort) {
    var table = new MarkdownTable("workload", "Cairn, ns", "spread", "goal", "MXNet, ns", "ratio (spread)", "goal");
    List<Figure> figures = new ArrayList<>();
    List<Double> trips = new ArrayList<>();
    List<String> counts = new ArrayList<>();
    try (Contestant cairn = new CairnContestant()) {
      Optional<Contestant> mxnet = rivals.engine();
      for (Workload workload : Workload.values()) {
        List<DoubleSupplier> turns = new ArrayList<>();
        turns.add(() -> nanos(cairn, workload, effort));
        mxnet.filter(it -> it.can(workload)).ifPresent(it -> turns.add(() -> nanos(it, workload, effort)));
        SteadyRounds steady = SteadyRounds.played(WARM_UPS, effort.rounds(), turns, CacheLineTrip::nanos);
        Rounds played = steady.counted();
        counts.add(steady.counts());
        trips.addAll(steady.machine().values());
        figures.add(new Figure(workload.key() + "-ns", played.of(0).median(), 0, workload.nanosGoal()));
        if (turns.size() > 1) {
          figures.add(new Figure(workload.key() + "/mxnet", played.ratios(0, 1).median(), 2, workload.ratioGoal()));
        }
        table.row(row(workload, played, workload == Workload.REUSED ? "" : Rivals.NOT_THERE));
        System.err.println("push: " + figures.subList(figures.size() - turns.size(), figures.size()) + " " + steady);
      }
      mxnet.ifPresent(Contestant::close);
    }
    return new Section("Pushing", text(Sample.of(trips), String.join(", ", counts)), table, figures);
  }

  private static String text(Sample trips, String played) {
    return """
      Nanoseconds an operation from the first push to the end of the last, one thread pushing, one of the engine's
      running. The work does nothing: a Java lambda here, C's `labs` in MXNet. Operations are made anew for each push,
      as MXNet's are, and footprints of several variables too, but in the row of operations made before, which MXNet's
      C interface does not offer; pushes that are put together make no operation of their own. Eight rounds go before
      those that count, for both. Whether two virtual processors share a core, or lie side by side or far apart,
      changes from second to second: a cache line took %s ns from one to the other (median; a tenth took less than
      %s ns, a tenth more than %s ns). A round counts if this time, before and after the round, was within a factor of
      1.5 of its lower quartile, whatever was scored; others are played anew, up to four times as many; where that
      brings too few, all count.
      Rounds that counted, of those played: %s.
      """
      .formatted(whole(trips.median()), whole(trips.percentile(10)), whole(trips.percentile(90)), played);
  }

  private static double nanos(Contestant contestant, Workload workload, EngineEffort effort) {
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
