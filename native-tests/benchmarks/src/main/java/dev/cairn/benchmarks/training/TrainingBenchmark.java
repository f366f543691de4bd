package dev.cairn.benchmarks.training;

import static dev.cairn.benchmarks.harness.MarkdownTable.number;

import dev.cairn.benchmarks.harness.Benchmark;
import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.FiguresPage;
import dev.cairn.benchmarks.harness.Goal;
import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.Outcome;
import dev.cairn.benchmarks.harness.PageOptions;
import dev.cairn.benchmarks.harness.Places;
import dev.cairn.benchmarks.harness.Section;
import dev.cairn.benchmarks.written.TrainedZooModel;
import dev.cairn.runtime.SessionOptions;
import dev.cairn.runtime.train.IterationPlan;
import dev.cairn.runtime.train.Trainer;
import java.io.IOException;
import java.util.List;

/** {@code training}: the memory of training iterations against the lower bound and against no sharing (N7, N8). */
public final class TrainingBenchmark implements Benchmark {
  private static final double MIB = 1 << 20;
  private static final double MOST_OF_BOUND = 1.005;
  private static final double MOST_OF_NAIVE = 0.5;

  static final String ABOUT = "What training does: [training](../training.md).";

  private record Subject(String model, long batch) {}

  private static final List<Subject> SUBJECTS = List.of(new Subject("mlp", 128), new Subject("resnet50", 32),
    new Subject("bert_base", 8), new Subject("gpt2", 4));

  @Override
  public String name() {
    return "training";
  }

  @Override
  public String description() {
    return "planned peak of training iterations over the lower bound and over no sharing";
  }

  @Override
  public String options() {
    return PageOptions.USAGE;
  }

  @Override
  public Outcome run(List<String> arguments, Places places) throws IOException {
    PageOptions options = PageOptions.parse(arguments, List.of());
    var table = new MarkdownTable("model", "peak, MiB", "/ lower bound", "/ unshared", "unshared, MiB",
      "parameters, MiB", "states, MiB", "gradients, MiB", "s to compile and plan");
    double ofBound = 0;
    double ofUnshared = 0;
    for (Subject subject : options.quick() ? SUBJECTS.subList(0, 1) : SUBJECTS) {
      System.err.printf("training         %s%n", subject);
      long started = System.nanoTime();
      IterationPlan plan = plan(subject);
      double seconds = (System.nanoTime() - started) / 1e9;
      double bound = (double) plan.peakBytes() / plan.boundBytes();
      double unshared = (double) plan.peakBytes() / plan.unsharedBytes();
      ofBound = Math.max(ofBound, bound);
      ofUnshared = Math.max(ofUnshared, unshared);
      table.row("%s b%d".formatted(subject.model, subject.batch), mib(plan.peakBytes()), number(4, bound), number(3,
        unshared), mib(plan.unsharedBytes()), mib(plan.parameterBytes()), mib(plan.stateBytes()),
        mib(plan.gradientBytes()), number(1, seconds));
    }
    return new FiguresPage(name(), "Training: the memory of an iteration", ABOUT, options).print(
      List.of(new Section("Planned iterations",
        """
          Reference models with a loss, gradients and SGD with momentum, planned by the planner that a session has by
          default. Unshared: every result with bytes of its own, nothing in place. Parameters and states come beside the
          plan; gradients are the most that live together. The worst ratios are judged.""", table,
        List.of(Figure.judged(
          "of-bound", ofBound, 4, Goal.atMost(MOST_OF_BOUND)),
          Figure.judged("of-unshared", ofUnshared, 3, Goal.atMost(
            MOST_OF_NAIVE))))),
      List.of(), arguments, places);
  }

  private static String mib(long bytes) {
    return number(1, bytes / MIB);
  }

  private static IterationPlan plan(Subject subject) {
    TrainedZooModel trained = TrainedZooModel.of(subject.model, subject.batch);
    try (Trainer trainer = trained.trainer(SessionOptions.DEFAULT)) {
      return trainer.plan(trained.types());
    }
  }
}
