package dev.cairn.runtime.cli;

import dev.cairn.allocator.report.StatsText;
import dev.cairn.runtime.cli.text.Table;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.Offloaded;
import dev.cairn.runtime.compile.PlannerChoice;
import dev.cairn.runtime.compile.Recomputed;
import dev.cairn.runtime.compile.Streamed;
import dev.cairn.runtime.memory.MemoryPlan;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.PlanScore;
import dev.cairn.runtime.memory.analysis.StreamSchedule;
import dev.cairn.runtime.report.plan.PageFacts;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * All planners of problems on one problem: what each would take, against the bound, and how long it thought; and the
 * one that planned the whole graph, if one did.
 */
record PlanComparison(CompiledGraph graph, List<PlannerAnswer> answers) {
  private static final Duration DEFAULT_BUDGET = Duration.ofSeconds(1);

  /** The plan in use only. */
  static PlanComparison chosen(CompiledGraph graph) {
    return new PlanComparison(graph, List.of());
  }

  static PlanComparison of(CompiledGraph graph) {
    return of(graph, DEFAULT_BUDGET);
  }

  /** @param budget for planners that search */
  static PlanComparison of(CompiledGraph graph, Duration budget) {
    MemoryProblem problem = graph.storage().problem();
    Stream<PlannerAnswer> ofGraph = Stream.of(PlannerChoice.values())
      .filter(it -> it.ofGraphs().isPresent() && it.toString().equals(graph.plan().planner()))
      .map(it -> new PlannerAnswer(it, Optional.of(graph.plan()), Optional.of(graph.score()), "", graph.planNanos()));
    Stream<PlannerAnswer> ofProblem = PlannerChoice.ofProblems().stream()
      .map(it -> PlannerAnswer.of(it, problem, budget));
    return new PlanComparison(graph, Stream.concat(ofProblem, ofGraph).toList());
  }

  /** The plan of one of them. */
  MemoryPlan plan(PlannerChoice choice) {
    return answer(choice).plan().orElseThrow(() -> new IllegalArgumentException(
      "this planner does not support the model's features: planner=%s: %s".formatted(choice, answer(choice)
        .refusal())));
  }

  PlannerAnswer answer(PlannerChoice choice) {
    return answers.stream().filter(it -> it.planner() == choice).findFirst().orElseThrow();
  }

  long weightBytes() {
    return graph.storage().constants().stream().mapToLong(node -> graph.types().type(node.entry()).bytes()).sum();
  }

  /**
   * The chosen plan in a line, then a table of all that answered. <em>Unshared</em> is what the buffers take when each
   * has bytes of its own.
   */
  String text(String indent) {
    PlanScore chosen = graph.score();
    long separate = graph.storage().separateBytes();
    var table = new Table("planner", "peak", "of bound", "of unshared", "time");
    for (PlannerAnswer it : answers) {
      table.row(it.planner(), it.peakText(), it.ratioText(),
        it.score().map(score -> ratio(ofUnshared(score))).orElse(""),
        it.timeText());
    }
    return "peak %s by %s, lower bound %s, %s times the bound; unshared %s (%d steps, %d buffers, %d in place)%s%s%n%s"
      .formatted(StatsText.bytes(chosen.peakBytes()), chosen.planner(), StatsText.bytes(chosen.boundBytes()),
        ratio(chosen.ratio()), StatsText.bytes(separate), graph.storage().steps().size(),
        graph.storage().problem().size(), graph.storage().inPlace(), streams(indent), price(graph, indent),
        answers.isEmpty()
          ? ""
          : table.text(indent));
  }

  /** How many streams the steps use, where the plan has several; a line behind a line break, else empty. */
  private String streams(String indent) {
    StreamSchedule schedule = graph.schedule();
    if (schedule.streams() == 1) {
      return "";
    }
    String steps = IntStream.range(0, schedule.streams()).mapToObj(it -> "%d".formatted(schedule.stepsOn(it)))
      .collect(Collectors.joining(" + "));
    return "%n%sstreams: %d of %d are used (%s steps), %d events".formatted(indent, usedStreams(), schedule.streams(),
      steps,
      schedule.events());
  }

  private long usedStreams() {
    return IntStream.range(0, graph.schedule().streams()).filter(it -> graph.schedule().stepsOn(it) > 0).count();
  }

  /** What keeping to a limit costs, a line each behind a line break; empty where nothing had to be done. */
  static String price(CompiledGraph graph, String indent) {
    return graph.recomputed().map(it -> "%n%slimit: %s".formatted(indent, it)).orElse("") + graph.offloaded().map(
      it -> "%n%soffload: %s".formatted(indent, it)).orElse("") + graph.streamed()
        .map(it -> "%n%sweights: %s"
          .formatted(indent, it))
        .orElse("");
  }

  /** The same as facts. */
  static void addPrice(CompiledGraph graph, Map<String, Object> document) {
    graph.recomputed().ifPresent(it -> document.put("recompute", document(it)));
    graph.offloaded().ifPresent(it -> document.put("offloaded", document(it)));
    graph.streamed().ifPresent(it -> document.put("streamed", document(it)));
  }

  private double ofUnshared(PlanScore score) {
    long separate = graph.storage().separateBytes();
    return separate == 0 ? 1 : (double) score.peakBytes() / separate;
  }

  static String ratio(double ratio) {
    return String.format(Locale.ROOT, "%.4f", ratio);
  }

  /** For the page. */
  List<PageFacts.Row> rows() {
    return answers.stream().map(it -> new PageFacts.Row(it.planner().toString(), it.peakText(), it.ratioText(), it
      .timeText())).toList();
  }

  Map<String, Object> document() {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("peakBytes", graph.score().peakBytes());
    document.put("lowerBoundBytes", graph.score().boundBytes());
    document.put("ratio", graph.score().ratio());
    document.put("unsharedBytes", graph.storage().separateBytes());
    document.put("weightBytes", weightBytes());
    document.put("planner", graph.score().planner());
    document.put("planNanos", graph.planNanos());
    document.put("steps", graph.storage().steps().size());
    document.put("buffers", graph.storage().problem().size());
    document.put("inPlace", graph.storage().inPlace());
    document.put("streams", usedStreams());
    document.put("events", graph.schedule().events());
    addPrice(graph, document);
    Map<String, Object> planners = new LinkedHashMap<>();
    answers.forEach(it -> planners.put(it.planner().toString(), it.document()));
    document.put("planners", planners);
    return document;
  }

  private static Map<String, Object> document(Offloaded it) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("values", it.values());
    document.put("copiedBytes", it.copiedBytes());
    document.put("hostBytes", it.hostBytes());
    document.put("peakBytes", it.peakBytes());
    document.put("peakWithoutBytes", it.peakWithoutBytes());
    document.put("waited", it.waited());
    document.put("hidden", it.hidden());
    return document;
  }

  private static Map<String, Object> document(Streamed it) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("fits", it.fits());
    document.put("fromFile", it.fromFile());
    document.put("constants", it.constants());
    document.put("constantBytes", it.constantBytes());
    document.put("copies", it.copies());
    document.put("copiedBytes", it.copiedBytes());
    document.put("residentBytes", it.residentBytes());
    document.put("stalled", it.stalled());
    document.put("neededBytes", it.neededBytes());
    document.put("leastBytes", it.leastBytes());
    return document;
  }

  private static Map<String, Object> document(Recomputed it) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("fits", it.fits());
    document.put("budgetBytes", it.budgetBytes());
    document.put("peakBytes", it.peakBytes());
    document.put("peakWithoutBytes", it.peakWithoutBytes());
    document.put("cost", it.cost());
    document.put("costWithout", it.costOnce());
    document.put("bound", it.bound());
    document.put("recomputations", it.recomputations());
    document.put("floorBytes", it.floorBytes());
    document.put("floorStep", it.floorStep());
    document.put("floorHolds", it.floorHolds());
    document.put("splitSums", it.splitSums());
    return document;
  }
}
