package dev.cairn.benchmarks.training;

import dev.cairn.benchmarks.harness.Benchmark;
import dev.cairn.benchmarks.harness.FiguresPage;
import dev.cairn.benchmarks.harness.Origin;
import dev.cairn.benchmarks.harness.Outcome;
import dev.cairn.benchmarks.harness.PageOptions;
import dev.cairn.benchmarks.harness.Places;
import dev.cairn.benchmarks.harness.Section;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** {@code training}: what iterations take, beside bounds, PyTorch, NNVM and copies (N7 to N12). */
public final class TrainingBenchmark implements Benchmark {
  static final String ABOUT = "What training does: [training](../training.md).";

  private static final String PLANS = "plans";
  private static final String TORCH = "torch";
  private static final String UPDATE = "update";
  private static final String GRADIENTS = "gradients";
  private static final List<String> TABLES = List.of(PLANS, TORCH, UPDATE, GRADIENTS);

  @Override
  public String name() {
    return "training";
  }

  @Override
  public String description() {
    return "memory and time of training iterations, beside PyTorch and NNVM's plan";
  }

  @Override
  public String options() {
    return PageOptions.USAGE_WITH_TABLES;
  }

  @Override
  public Outcome run(List<String> arguments, Places places) throws IOException {
    PageOptions options = PageOptions.parse(arguments, TABLES);
    Origin origin = Origin.here(name(), arguments);
    List<Section> sections = new ArrayList<>();
    List<String> skipped = new ArrayList<>();
    if (options.wants(PLANS)) {
      sections.add(PlansTable.measured(options.quick()));
    }
    if (options.wants(TORCH)) {
      TorchTable.measured(options.quick()).ifPresentOrElse(sections::add, () -> skipped.add("torch:PyTorch"));
    }
    if (options.wants(UPDATE)) {
      sections.add(UpdateTable.measured(options.quick()));
    }
    if (options.wants(GRADIENTS)) {
      sections.add(PassTimeTable.measured(options.quick()));
    }
    return new FiguresPage(name(), "Training: memory and time of an iteration", ABOUT, options).print(sections, skipped,
      origin, places);
  }
}
