package dev.cairn.benchmarks.busy;

import dev.cairn.benchmarks.harness.AskedProcess;
import dev.cairn.benchmarks.harness.Benchmark;
import dev.cairn.benchmarks.harness.ChildJvm;
import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.FiguresPage;
import dev.cairn.benchmarks.harness.Goal;
import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.Origin;
import dev.cairn.benchmarks.harness.Outcome;
import dev.cairn.benchmarks.harness.PageOptions;
import dev.cairn.benchmarks.harness.Places;
import dev.cairn.benchmarks.harness.Rounds;
import dev.cairn.benchmarks.harness.Sample;
import dev.cairn.benchmarks.harness.Section;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleSupplier;
import java.util.stream.IntStream;

/** {@code busy}: what several threads cost where other programs want the processors, and where none does. */
public final class BusyBenchmark implements Benchmark {
  private static final String ABOUT = "What decides: [several threads on a busy machine](../performance.md"
    + "#several-threads-on-a-busy-machine).";
  private static final int OTHERS_PER_PROCESSOR = 4;
  private static final Goal BUSY = Goal.atMost(1.2);
  private static final Goal IDLE = Goal.atMost(1.05);
  private static final String TEXT = """
    Milliseconds of one of many runs, in the mean. Default: what Cairn does by itself, with a thread for each processor.
    Spinning: `GOMP_SPINCOUNT=300000`, libgomp's own setting. Passive: `OMP_WAIT_POLICY=passive`. All settings live in
    processes of their own and take turns.\s""";

  @Override
  public String name() {
    return "busy";
  }

  @Override
  public String description() {
    return "several threads beside other programs that want the processors, and without such";
  }

  @Override
  public String options() {
    return PageOptions.USAGE;
  }

  @Override
  public Outcome run(List<String> arguments, Places places) throws IOException {
    PageOptions options = PageOptions.parse(arguments, List.of());
    Origin origin = Origin.here(name(), arguments);
    int processors = Runtime.getRuntime().availableProcessors();
    List<AskedProcess> processes = new ArrayList<>();
    try {
      for (ThreadSetting setting : ThreadSetting.values()) {
        processes.add(process(setting, processors));
      }
      if (!options.quick()) {
        for (BusyWork work : BusyWork.values()) {
          System.err.printf("busy             warming up %s%n", work);
          processes.forEach(it -> it.ask(work + " 0"));
        }
      }
      List<Section> sections = List.of(section("Without other work", 0, processes, options.quick()), section(
        "With %d other processes for each processor".formatted(OTHERS_PER_PROCESSOR), OTHERS_PER_PROCESSOR * processors,
        processes, options.quick()));
      return new FiguresPage(name(), "Several threads on a busy machine", ABOUT, options).print(sections, List.of(),
        origin, places);
    } finally {
      processes.forEach(AskedProcess::close);
    }
  }

  private static AskedProcess process(ThreadSetting setting, int processors) {
    var builder = new ProcessBuilder(ChildJvm.command(BusyMain.class, List.of(Integer.toString(setting.threads(
      processors)))));
    setting.applyTo(builder.environment());
    return new AskedProcess(builder);
  }

  private static Section section(String title, int others, List<AskedProcess> processes, boolean quick) {
    boolean busy = others > 0;
    var table = new MarkdownTable("work", "default, ms", "spinning", "passive", "one thread", busy
      ? "default / best of the others (spread)"
      : "default / spinning (spread)");
    List<Figure> figures = new ArrayList<>();
    for (BusyWork work : BusyWork.values()) {
      System.err.printf("busy             %s beside %d others%n", work, others);
      Rounds rounds = rounds(work, others, processes, quick);
      Sample ratios = busy
        ? ofBest(rounds)
        : rounds.ratios(place(ThreadSetting.DEFAULT), place(ThreadSetting.SPINNING));
      table.row(work.words(), millis(rounds, ThreadSetting.DEFAULT), millis(rounds, ThreadSetting.SPINNING), millis(
        rounds, ThreadSetting.PASSIVE), millis(rounds, ThreadSetting.ONE_THREAD), ratios.withSpread());
      figures.add(Figure.judged((busy ? "busy-" : "idle-") + work.key(), ratios.median(), 2, busy ? BUSY : IDLE));
    }
    return new Section(title, TEXT + (busy
      ? "The others are `yes`, at the same priority. The best of the others is that with the least median."
      : ""), table, figures);
  }

  private static Rounds rounds(BusyWork work, int others, List<AskedProcess> processes, boolean quick) {
    String question = "%s %d".formatted(work, quick ? 100 : 1_000);
    List<DoubleSupplier> contestants = processes.stream().map(it -> (DoubleSupplier) () -> it.ask(question)).toList();
    try (var _ = new OtherWork(others)) {
      return Rounds.played(quick ? 1 : others > 0 ? 3 : 5, contestants);
    }
  }

  /** The default over the best setting that a user may choose instead. */
  private static Sample ofBest(Rounds rounds) {
    int best = IntStream.range(1, ThreadSetting.values().length).boxed().min((a, b) -> Double.compare(rounds.of(a)
      .median(), rounds.of(b).median())).orElseThrow();
    return rounds.ratios(place(ThreadSetting.DEFAULT), best);
  }

  /** Its number among the contestants. */
  private static int place(ThreadSetting setting) {
    return List.of(ThreadSetting.values()).indexOf(setting);
  }

  private static String millis(Rounds rounds, ThreadSetting setting) {
    double median = rounds.of(place(setting)).median();
    return String.format(Locale.ROOT, median < 1 ? "%.3f" : "%.1f", median);
  }
}
