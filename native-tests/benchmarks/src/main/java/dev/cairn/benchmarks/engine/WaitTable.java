package dev.cairn.benchmarks.engine;

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
import java.util.function.LongSupplier;

/** How long a thread that waits for a variable takes to know. */
final class WaitTable implements EngineTable {
  private static final Goal HALF = Goal.atMost(5);
  private static final Goal NEARLY_ALL = Goal.atMost(30);
  private static final long PAUSE_NANOS = 200_000;
  private static final int PAUSED_SHARE = 10;
  private static final String TEXT = """
    Microseconds. A round trip is a push of one write and the wait for its variable: the engine's thread must take the
    operation and the waiter must be told. One after the other, the engine's threads are awake; after a pause of 200 µs
    they sleep, and the system's own waking of two threads is in the time. The last row is of an operation that takes
    100 µs, so that the waiter sleeps: the time from the operation's end to the return of the wait.
    """;

  @Override
  public String name() {
    return "wait";
  }

  @Override
  public Section measured(Rivals rivals, EngineEffort effort) {
    var table = new MarkdownTable("wait", "Cairn p50", "Cairn p99", "MXNet p50", "MXNet p99", "goal p50, p99");
    List<Figure> figures = new ArrayList<>();
    try (CairnContestant cairn = new CairnContestant()) {
      Optional<Contestant> mxnet = rivals.engine();
      Rounds trips = played(cairn, mxnet, 0, effort);
      figures.add(Figure.judged("wait-p50us", trips.of(0).median(), 2, HALF));
      figures.add(Figure.judged("wait-p99us", trips.of(1).median(), 2, NEARLY_ALL));
      table.row(row("round trip", trips, HALF + ", " + NEARLY_ALL));
      table.row(row("round trip after a pause", played(cairn, mxnet, PAUSE_NANOS, effort), ""));
      Rounds slept = Rounds.played(effort.rounds(), turns(cairn::wakeUpNanos, 0, effort.waits() / PAUSED_SHARE));
      figures.add(Figure.told("wake-sleeper-p50us", slept.of(0).median(), 2));
      table.row("wake-up of a sleeper", micros(slept.of(0)), micros(slept.of(1)), "", "", "");
      mxnet.ifPresent(Contestant::close);
    }
    System.err.println("wait: " + figures);
    return new Section("Waiting", TEXT, table, figures);
  }

  private static Rounds played(Contestant cairn, Optional<Contestant> mxnet, long pauseNanos, EngineEffort effort) {
    int waits = pauseNanos > 0 ? effort.waits() / PAUSED_SHARE : effort.waits();
    List<DoubleSupplier> turns = new ArrayList<>(turns(() -> roundTripNanos(cairn), pauseNanos, waits));
    mxnet.ifPresent(it -> turns.addAll(turns(() -> roundTripNanos(it), pauseNanos, waits)));
    return Rounds.played(effort.rounds(), turns);
  }

  /** Two: one for the median of many waits, one for nearly the longest. */
  private static List<DoubleSupplier> turns(LongSupplier wait, long pauseNanos, int waits) {
    return List.of(() -> sample(wait, pauseNanos, waits).median() / 1e3,
      () -> sample(wait, pauseNanos, waits).percentile(99) / 1e3);
  }

  private static Sample sample(LongSupplier wait, long pauseNanos, int waits) {
    List<Long> nanos = new ArrayList<>(waits);
    for (int i = 0; i < waits; i++) {
      long end = System.nanoTime() + pauseNanos;
      while (System.nanoTime() < end) {
        Thread.onSpinWait();
      }
      nanos.add(wait.getAsLong());
    }
    return Sample.of(nanos);
  }

  private static long roundTripNanos(Contestant contestant) {
    long begin = System.nanoTime();
    contestant.pushAndWait();
    return System.nanoTime() - begin;
  }

  private static String[] row(String what, Rounds played, String goal) {
    boolean both = played.scores().size() > 2;
    return new String[] {what, micros(played.of(0)), micros(played.of(1)),
      both ? micros(played.of(2)) : Rivals.NOT_THERE, both ? micros(played.of(3)) : Rivals.NOT_THERE, goal};
  }

  private static String micros(Sample sample) {
    return MarkdownTable.number(2, sample.median());
  }
}
