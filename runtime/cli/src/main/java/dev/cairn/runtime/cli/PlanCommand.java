package dev.cairn.runtime.cli;

import dev.cairn.allocator.report.StatsText;
import dev.cairn.kernels.catalog.family.StandardKernels;
import dev.cairn.kernels.cpu.CpuDevice;
import dev.cairn.runtime.cli.option.ModelOption;
import dev.cairn.runtime.cli.option.OutputOption;
import dev.cairn.runtime.cli.option.SessionOption;
import dev.cairn.runtime.cli.option.Verbosity;
import dev.cairn.runtime.cli.text.Json;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.Compiler;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.infer.InputBinding;
import dev.cairn.runtime.operator.family.StandardOperators;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code cairn plan}: what a model will take, without running it. */
@Command
final class PlanCommand implements Callable<Integer>, HasVerbosity {
  @Spec
  private CommandSpec spec = CommandSpec.create();
  @Mixin
  private ModelOption model = new ModelOption();
  @Mixin
  private SessionOption session = new SessionOption();
  @Mixin
  private OutputOption output = new OutputOption();
  @Mixin
  private Verbosity verbosity = new Verbosity();

  @Override
  public Verbosity verbosity() {
    return verbosity;
  }

  @Override
  public Integer call() {
    verbosity.apply();
    PlanComparison plans = PlanComparison.of(compile());
    long needed = plans.weightBytes() + plans.graph().score().peakBytes();
    long limit = session.memoryLimitBytes();
    boolean fits = needed <= limit;
    Map<String, Object> document = Json.document("plan");
    document.put("model", model.name());
    document.put("plan", plans.document());
    document.put("neededBytes", needed);
    document.put("fits", fits);
    String text = "model    %s%nneeds    %s: weights %s, plan %s%s%nplan     %s%s".formatted(model.name(), StatsText.bytes(
      needed), StatsText.bytes(plans.weightBytes()), StatsText.bytes(plans.graph().score().peakBytes()), verdict(needed,
        limit), plans.text("         "), verbosity.isVerbose() ? details(plans) : "");
    output.print(spec.commandLine().getOut(), text, document);
    if (!fits) {
      throw new Failure.Known(ExitCode.OUT_OF_MEMORY, "the model does not fit the limit",
        "needs %s, limit %s, short by %s".formatted(StatsText.bytes(needed), StatsText.bytes(limit), StatsText.bytes(needed
          - limit)), "raise --memory-limit by what is short, or give a smaller batch with --shapes");
    }
    return ExitCode.OK.number();
  }

  private static String verdict(long needed, long limit) {
    if (limit == Long.MAX_VALUE) {
      return "";
    }
    return needed <= limit
      ? "; fits %s, %s left".formatted(StatsText.bytes(limit), StatsText.bytes(limit - needed))
      : "; does not fit %s, short by %s".formatted(StatsText.bytes(limit), StatsText.bytes(needed - limit));
  }

  private static String details(PlanComparison plans) {
    CompiledGraph graph = plans.graph();
    return "passes%n%s%nplan%n%s%n".formatted(graph.passes(), graph.plan().text(graph.storage().problem()));
  }

  private CompiledGraph compile() {
    Graph graph = model.load();
    try (var device = CpuDevice.ofAllProcessors()) {
      var compiler = new Compiler(StandardOperators.table(), StandardKernels.catalog(), device.defaultStream());
      return compiler.compile(graph, InputBinding.ofShapes(graph, model.shapes()), CompileOptions.DEFAULT.withPlanner(session
        .planner()));
    }
  }
}
