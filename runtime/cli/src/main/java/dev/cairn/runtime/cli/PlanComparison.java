package dev.cairn.runtime.cli;

import dev.cairn.allocator.report.StatsText;
import dev.cairn.runtime.cli.text.Table;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.PlannerChoice;
import dev.cairn.runtime.memory.MemoryPlan;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.PlanScore;
import dev.cairn.runtime.memory.PlanValidator;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** All planners on one problem: what each would take, against the bound, and how long it thought. */
record PlanComparison(CompiledGraph graph, List<Row> rows) {

  /** One planner's answer. */
  record Row(PlannerChoice planner, PlanScore score, long nanos) {}

  static PlanComparison of(CompiledGraph graph) {
    MemoryProblem problem = graph.storage().problem();
    List<Row> rows = new ArrayList<>();
    for (PlannerChoice choice : PlannerChoice.values()) {
      long started = System.nanoTime();
      MemoryPlan plan = choice.planner().plan(problem);
      long nanos = System.nanoTime() - started;
      rows.add(new Row(choice, PlanScore.of(problem, PlanValidator.requireValid(problem, plan)), nanos));
    }
    return new PlanComparison(graph, List.copyOf(rows));
  }

  long weightBytes() {
    return graph.storage().constants().stream().mapToLong(node -> graph.types().type(node.entry()).bytes()).sum();
  }

  /** The chosen plan in a line, then a table of all. */
  String text(String indent) {
    PlanScore chosen = graph.score();
    long separate = graph.storage().separateBytes();
    var table = new Table("planner", "peak", "of bound", "of naive", "time");
    for (Row row : rows) {
      table.row(row.planner(), StatsText.bytes(row.score().peakBytes()), ratio(row.score().ratio()),
        ratio(ofNaive(row)),
        String.format(Locale.ROOT, "%.2f ms", row.nanos() / 1e6));
    }
    return "peak %s by %s, lower bound %s, %s times the bound; naive total %s (%d steps, %d buffers, %d in place)%n%s"
      .formatted(StatsText.bytes(chosen.peakBytes()), chosen.planner(), StatsText.bytes(chosen.boundBytes()),
        ratio(chosen
          .ratio()),
        StatsText.bytes(separate), graph.storage().steps().size(), graph.storage().problem().size(), graph
          .storage().inPlace(),
        table.text(indent));
  }

  private double ofNaive(Row row) {
    long separate = graph.storage().separateBytes();
    return separate == 0 ? 1 : (double) row.score().peakBytes() / separate;
  }

  static String ratio(double ratio) {
    return String.format(Locale.ROOT, "%.4f", ratio);
  }

  Map<String, Object> document() {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("peakBytes", graph.score().peakBytes());
    document.put("lowerBoundBytes", graph.score().boundBytes());
    document.put("ratio", graph.score().ratio());
    document.put("naiveBytes", graph.storage().separateBytes());
    document.put("weightBytes", weightBytes());
    document.put("planner", graph.score().planner());
    document.put("planNanos", graph.planNanos());
    document.put("steps", graph.storage().steps().size());
    document.put("buffers", graph.storage().problem().size());
    document.put("inPlace", graph.storage().inPlace());
    Map<String, Object> planners = new LinkedHashMap<>();
    for (Row row : rows) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("peakBytes", row.score().peakBytes());
      one.put("ratio", row.score().ratio());
      one.put("nanos", row.nanos());
      planners.put(row.planner().toString(), one);
    }
    document.put("planners", planners);
    return document;
  }
}
