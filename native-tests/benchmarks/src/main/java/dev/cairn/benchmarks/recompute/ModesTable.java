package dev.cairn.benchmarks.recompute;

import static dev.cairn.benchmarks.harness.MarkdownTable.number;

import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.Places;
import dev.cairn.benchmarks.harness.Section;
import dev.cairn.benchmarks.written.TrainedZooModel;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.MemoryNeed;
import dev.cairn.runtime.compile.RecomputeMode;
import dev.cairn.runtime.compile.Recomputed;
import dev.cairn.runtime.session.SessionOptions;
import dev.cairn.runtime.train.Trainer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Training iterations of reference models, planned within parts of their plans, by every mode. */
final class ModesTable implements RecomputeTable {
  private static final List<RecomputeMode> MODES = Stream.concat(Stream.of(RecomputeMode.AUTO,
    RecomputeMode.SEARCH), RecomputeMode.upstream().stream()).toList();
  private static final List<Integer> PERCENTS = List.of(80, 50, 30);

  private record Subject(String model, long batch) {}

  private static final List<Subject> SUBJECTS = List.of(new Subject("lenet", 128),
    new Subject("mobilenet_v2", 32), new Subject("resnet50", 32), new Subject("bert_base", 8));

  @Override
  public String name() {
    return "modes";
  }

  @Override
  public Optional<Section> measured(Places places, boolean isQuick) {
    List<String> heads = new ArrayList<>(List.of("model", "plan, %", "at least, %"));
    MODES.forEach(mode -> heads.add(mode + ", %"));
    heads.add("s, auto");
    var table = new MarkdownTable(heads.toArray(String[]::new));
    int cases = 0;
    int fitted = 0;
    for (Subject subject : isQuick ? SUBJECTS.subList(0, 1) : SUBJECTS) {
      TrainedZooModel model = TrainedZooModel.of(subject.model, subject.batch);
      MemoryNeed need = need(model);
      for (int percent : PERCENTS) {
        System.err.printf("recompute        %s %d %%%n", subject, percent);
        List<String> cells = new ArrayList<>(List.of("%s b%d".formatted(subject.model, subject.batch), Integer.toString(
          percent)));
        double seconds = 0;
        for (RecomputeMode mode : MODES) {
          long started = System.nanoTime();
          Recomputed done = planned(model, mode, need.besidePlanBytes() + need.planBytes() / 100 * percent);
          if (mode == RecomputeMode.AUTO) {
            seconds = (System.nanoTime() - started) / 1e9;
            cells.add(done.bound() == Long.MAX_VALUE
              ? "none"
              : number(2, 100.0 * (done.bound() - done.costOnce())
                / done.costOnce()));
            cases++;
            fitted += done.fits() ? 1 : 0;
          }
          cells.add(done.fits() ? number(2, 100 * done.overhead()) : "-");
        }
        cells.add(number(1, seconds));
        table.row(cells.toArray(String[]::new));
      }
    }
    return Optional.of(new Section("Training iterations, planned",
      """
        Reference models with a loss, gradients and SGD with momentum, within parts of the plan that they have without a
        limit: the overhead in Cairn's count of work, by mode; - where a mode has no plan that fits. Compilation is in
        the seconds. `tf`, `mincut`, `chen` and `revolve` choose as other systems do, on Cairn's steps, which are
        fused.""", table, List.of(Figure.told("iterations-fitted", (double) fitted / cases, 2))));
  }

  static MemoryNeed need(TrainedZooModel model) {
    try (Trainer trainer = model.trainer(SessionOptions.DEFAULT)) {
      return trainer.plan(model.types()).need();
    }
  }

  static Recomputed planned(TrainedZooModel model, RecomputeMode mode, long limitBytes) {
    try (Trainer trainer = model.trainer(options(mode, limitBytes))) {
      return trainer.plan(model.types()).compiled().recomputed().orElseThrow();
    }
  }

  static SessionOptions options(RecomputeMode mode, long limitBytes) {
    CompileOptions compile = CompileOptions.DEFAULT;
    return SessionOptions.DEFAULT.withCompile(compile.withRecompute(compile.recompute().withMode(mode)))
      .withMemoryLimitBytes(
        limitBytes);
  }
}
