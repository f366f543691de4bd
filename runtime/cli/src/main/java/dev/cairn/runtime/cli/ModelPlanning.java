package dev.cairn.runtime.cli;

import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.cli.option.BytesOrPart;
import dev.cairn.runtime.cli.option.ModelOption;
import dev.cairn.runtime.cli.option.PlanningOption;
import dev.cairn.runtime.cli.text.Json;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.MemoryNeed;
import dev.cairn.runtime.compile.PlannerChoice;
import dev.cairn.runtime.compile.RecomputeChoices;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.operator.ValueDependentShape;
import dev.cairn.runtime.parts.PartsPlan;
import dev.cairn.runtime.pass.gradient.GradientOperator;
import dev.cairn.runtime.report.plan.BufferLabel;
import dev.cairn.runtime.report.plan.PageFacts;
import dev.cairn.runtime.report.plan.PlanView;
import dev.cairn.runtime.session.ModelCompiler;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Plans a model as a session would have it, by all planners.
 *
 * @param graph the model, or an iteration of its training
 * @param shapes of inputs, as far as they are given
 * @param compiler for the device that it would run on
 */
record ModelPlanning(ModelOption model, Graph graph, Map<String, Shape> shapes, ModelCompiler compiler) {
  private static final String INDENT = "         ";

  /**
   * @param options which steps the model becomes, and its planner
   * @param isVerbose whether passes and the plan itself are printed, too
   */
  PlanReport report(PlanningOption planning, CompileOptions options, boolean isVerbose) {
    try {
      return whole(planning, options, isVerbose);
    } catch (ValueDependentShape e) {
      if (!e.inputs().isEmpty() || !compiler.runsParts()) {
        throw e;
      }
      return inParts(e, planning, options);
    }
  }

  /** The view is of the part that needs most. */
  private PlanReport inParts(ValueDependentShape why, PlanningOption planning, CompileOptions options) {
    requireBytes(planning.memoryLimit(), why);
    var report = new PartsReport(compiler.parts(graph, InputTypes.of(graph, shapes), options));
    CompiledGraph largest = report.plan().planned().stream().map(PartsPlan.Planned::graph).max(Comparator.comparingLong(
      it -> it.score().peakBytes())).orElseThrow(() -> why);
    Map<String, Object> document = Json.document("plan");
    document.put("model", model.name());
    document.put("unplanned", String.valueOf(why.getMessage()));
    document.put("parts", report.documents());
    report.plan().plannedShare().ifPresent(it -> document.put("plannedShare", it));
    String limit = planning.memoryLimit().isEmpty()
      ? ""
      : "limit    not judged: only a run knows what it holds between the parts%n".formatted();
    String text = "model    %s%nplan     in parts: %s%n%s%s".formatted(model.name(), why.getMessage(), report.text(),
      limit);
    var view = new PlanView(title(model), "step", largest.storage().problem(), largest.plan(), labels(largest));
    return new PlanReport(text, document, view, PageFacts.NONE, Optional.empty());
  }

  /** A part of a plan needs a plan. */
  private static void requireBytes(Optional<BytesOrPart> limit, ValueDependentShape why) {
    if (limit.isPresent() && limit.get().isPart()) {
      throw withoutPlan(why);
    }
  }

  /** Refuses a limit in percent of a model that has no plan. */
  static Failure.Known withoutPlan(ValueDependentShape why) {
    return new Failure.Known(ExitCode.USAGE, "--memory-limit in percent is a part of a plan, and this model has none",
      String.valueOf(why.getMessage()), "give --memory-limit in bytes");
  }

  private PlanReport whole(PlanningOption planning, CompileOptions options, boolean isVerbose) {
    PlannerChoice choice = options.planner();
    // A planner that searches runs once, below, with its whole time. A plan by another planner also decides the order.
    OptionalLong limit = limit(planning, options);
    CompileOptions limited = limit.isPresent()
      ? options.withRecompute(options.recompute().withLimitBytes(limit.getAsLong()))
      : options;
    CompiledGraph first = compiler.compile(graph, InputTypes.of(graph, shapes), choice.searches()
      ? limited.withPlanner(PlannerChoice.BEST_FIT)
      : limited);
    PlanComparison all = PlanComparison.of(first, planning.modelBudget());
    // A graph with copies is bound to its plan, which decided what fits.
    CompiledGraph compiled = first.isBoundToItsPlan()
      ? first
      : first.withPlan(all.plan(choice), all.answer(choice).nanos());
    PlanComparison plans = new PlanComparison(compiled, all.answers());
    MemoryNeed need = MemoryNeed.of(compiled, compiler.isHost());
    FitText fit = new ModelFit(graph, shapes, options, compiler).text(plans, limit);
    Map<String, Object> document = Json.document("plan");
    document.put("model", model.name());
    String device = "%s (%s)".formatted(compiler.device(), compiler.deviceReason());
    document.put("device", device);
    document.put("plan", plans.document());
    document.put("needs", document(need));
    PlannedBodies bodies = PlannedBodies.of(compiled);
    if (!bodies.documents().isEmpty()) {
      document.put("bodies", bodies.documents());
    }
    fit.addTo(document);
    String words = fit.text();
    String text = "model    %s%ndevice   %s%nneeds    %s%s%n%splan     %s%s".formatted(model.name(), device, need,
      words.isEmpty() ? "" : "; " + words, fit.advice(INDENT), plans.text(INDENT),
      bodies.text() + (isVerbose
        ? details(compiled)
        : ""));
    var view = new PlanView(title(model), "step", compiled.storage().problem(), compiled.plan(), labels(
      compiled));
    var facts = new PageFacts(("The model needs " + need + ". " + fit.sentences()).strip(), plans.rows(), "");
    return new PlanReport(text, document, view, facts, fit.fits()
      ? Optional.empty()
      : Optional.of(fit.failure("the model does not fit the limit", "limit")));
  }

  /** The limit in bytes: a part is one of the plan without a limit, beside what else the model takes. */
  private OptionalLong limit(PlanningOption planning, CompileOptions options) {
    Optional<BytesOrPart> given = planning.memoryLimit();
    if (given.isEmpty()) {
      return OptionalLong.empty();
    }
    return OptionalLong.of(given.get().isPart()
      ? given.get().limit(withoutLimit(graph, InputTypes.of(graph, shapes), options, compiler))
      : given.get().of(0));
  }

  /** What a model takes without a limit, by a planner that does not search. */
  static MemoryNeed withoutLimit(Graph graph, Map<String, TensorType> types, CompileOptions options,
    ModelCompiler compiler) {
    CompileOptions quick = options.planner().searches() ? options.withPlanner(PlannerChoice.BEST_FIT) : options;
    return MemoryNeed.of(compiler.compile(graph, types, quick), compiler.isHost());
  }

  /** What recomputation chooses from, without a limit. */
  RecomputeChoices recomputation(CompileOptions options) {
    return compiler.recomputation(graph, InputTypes.of(graph, shapes), options);
  }

  private List<BufferLabel> labels(CompiledGraph compiled) {
    boolean isIteration = graph.nodes().stream().anyMatch(it -> it.operator().equals(GradientOperator.NAME));
    return isIteration ? PlanLabels.byPhase(compiled) : PlanLabels.of(compiled);
  }

  private static Map<String, Object> document(MemoryNeed need) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("totalBytes", need.totalBytes());
    document.put("weightBytes", need.weightBytes());
    document.put("variableBytes", need.variableBytes());
    document.put("planBytes", need.planBytes());
    document.put("inputBytes", need.inputBytes());
    document.put("resultBytes", need.resultBytes());
    document.put("scratchBytes", need.scratchBytes());
    return document;
  }

  private static String title(ModelOption model) {
    Path file = model.file();
    return file == null || file.getFileName() == null ? model.name() : file.getFileName().toString();
  }

  private static String details(CompiledGraph graph) {
    return "passes%n%s%nplan%n%s%n".formatted(graph.passes(), graph.plan().text(graph.storage().problem()));
  }
}
