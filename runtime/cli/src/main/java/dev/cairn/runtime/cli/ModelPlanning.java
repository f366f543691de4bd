package dev.cairn.runtime.cli;

import dev.cairn.runtime.cli.option.ModelOption;
import dev.cairn.runtime.cli.option.PlanningOption;
import dev.cairn.runtime.cli.text.Json;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.PlannerChoice;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.report.plan.PageFacts;
import dev.cairn.runtime.report.plan.PlanView;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Plans a model as a session would have it, by all planners. */
final class ModelPlanning {
  private static final String INDENT = "         ";

  private ModelPlanning() {}

  /** @param isVerbose whether passes and the plan itself are told, too */
  static PlanReport report(ModelOption model, PlanningOption planning, boolean isVerbose) {
    Graph graph = model.load();
    CompiledGraph first = ModelCompiler.compile(graph, InputTypes.of(graph, model.shapes()), CompileOptions.DEFAULT);
    PlanComparison all = PlanComparison.of(first, planning.modelBudget());
    PlannerChoice choice = planning.modelPlanner();
    CompiledGraph compiled = first.withPlan(all.plan(choice), all.answer(choice).nanos());
    PlanComparison plans = new PlanComparison(compiled, all.answers());
    MemoryNeed need = MemoryNeed.of(compiled);
    FitText fit = new ModelFit(graph, model.shapes(), choice).text(plans, planning.memoryLimit());
    Map<String, Object> document = Json.document("plan");
    document.put("model", model.name());
    document.put("plan", plans.document());
    document.put("needs", need.document());
    fit.addTo(document);
    String words = fit.text();
    String text = "model    %s%nneeds    %s%s%n%splan     %s%s".formatted(model.name(), need.text(),
      words.isEmpty() ? "" : "; " + words, fit.advice(INDENT), plans.text(INDENT), isVerbose
        ? details(compiled)
        : "");
    var view = new PlanView(title(model), "step", compiled.storage().problem(), compiled.plan(), PlanLabels.of(
      compiled));
    String needs = "The model needs " + need.text() + ".";
    var facts = new PageFacts((needs + " " + fit.sentences()).strip(), plans.rows());
    return new PlanReport(text, document, view, facts, fit.fits()
      ? Optional.empty()
      : Optional.of(fit.failure("the model does not fit the limit", "limit")));
  }

  private static String title(ModelOption model) {
    Path file = model.file();
    return file == null || file.getFileName() == null ? model.name() : file.getFileName().toString();
  }

  private static String details(CompiledGraph graph) {
    return "passes%n%s%nplan%n%s%n".formatted(graph.passes(), graph.plan().text(graph.storage().problem()));
  }
}
