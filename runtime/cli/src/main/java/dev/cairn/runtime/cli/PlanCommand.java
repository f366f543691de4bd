package dev.cairn.runtime.cli;

import dev.cairn.allocator.report.StatsText;
import dev.cairn.runtime.cli.option.ModelOption;
import dev.cairn.runtime.cli.option.SessionOption;
import dev.cairn.runtime.cli.text.Json;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.graph.Graph;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code cairn plan}: what a model will take, without running it. */
@Command
final class PlanCommand extends CairnCommand {
  @Mixin
  private ModelOption model = new ModelOption();
  @Mixin
  private SessionOption session = new SessionOption();

  @Override
  ExitCode execute() {
    Graph graph = model.load();
    CompileOptions options = CompileOptions.DEFAULT.withPlanner(session.planner());
    CompiledGraph compiled = ModelCompiler.compile(graph, InputTypes.of(graph, model.shapes()), options);
    PlanComparison plans = PlanComparison.of(compiled);
    MemoryNeed need = MemoryNeed.of(compiled);
    long limit = session.memoryLimitBytes();
    boolean fits = need.totalBytes() <= limit;
    Map<String, Object> document = Json.document("plan");
    document.put("model", model.name());
    document.put("plan", plans.document());
    document.put("needs", need.document());
    document.put("fits", fits);
    String comparison = plans.text("         ");
    String more = verbosity().isVerbose() ? details(compiled) : "";
    String text = "model    %s%nneeds    %s%s%nplan     %s%s"
      .formatted(model.name(), need.text(), verdict(need, limit), comparison, more);
    print(text, document);
    if (!fits) {
      throw new Failure.Known(ExitCode.OUT_OF_MEMORY, "the model does not fit the limit",
        "needs %s, limit %s, short by %s"
          .formatted(StatsText.bytes(need.totalBytes()), StatsText.bytes(limit),
            StatsText.bytes(need.totalBytes() - limit)),
        "raise --memory-limit by what is short, or give a smaller batch with --shapes");
    }
    return ExitCode.OK;
  }

  private static String verdict(MemoryNeed need, long limit) {
    if (limit == Long.MAX_VALUE) {
      return "";
    }
    long left = limit - need.totalBytes();
    return left >= 0
      ? "; fits %s, %s left".formatted(StatsText.bytes(limit), StatsText.bytes(left))
      : "; does not fit %s, short by %s".formatted(StatsText.bytes(limit), StatsText.bytes(-left));
  }

  private static String details(CompiledGraph graph) {
    return "passes%n%s%nplan%n%s%n".formatted(graph.passes(), graph.plan().text(graph.storage().problem()));
  }
}
