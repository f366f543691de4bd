package dev.cairn.runtime.report.profile;

import dev.cairn.runtime.trace.Span;
import dev.cairn.runtime.trace.Trace;
import dev.cairn.runtime.trace.TracedGraph;
import dev.cairn.runtime.trace.TracedRun;
import dev.cairn.runtime.trace.TracedStep;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The times of one step over all runs of a trace that went well.
 *
 * @param step its place in the graph
 * @param runs at least 1
 * @param medianNanos a time that was measured; of an even number, the lower of the two in the middle
 * @param share of the time of all steps, from 0 to 1, had every run of a step taken its median: the machine's hiccups
 *   make no step slow
 */
public record StepTimes(TracedGraph graph, int step, int runs, long medianNanos, long totalNanos, double share) {

  /** One for each step that ran, the largest share first; ties by their order in the trace. */
  public static List<StepTimes> of(Trace trace) {
    Map<TracedGraph, List<List<Long>>> nanos = new LinkedHashMap<>();
    for (TracedRun run : trace.runs()) {
      if (!run.failed()) {
        List<List<Long>> steps = nanos.computeIfAbsent(run.graph(), StepTimes::lists);
        for (Span span : run.steps()) {
          steps.get(span.index()).add(span.nanos());
        }
      }
    }
    List<StepTimes> times = new ArrayList<>();
    nanos.forEach((graph, steps) -> {
      for (int step = 0; step < steps.size(); step++) {
        if (!steps.get(step).isEmpty()) {
          times.add(of(graph, step, steps.get(step)));
        }
      }
    });
    long all = times.stream().mapToLong(StepTimes::steadyNanos).sum();
    return times.stream().sorted(Comparator.comparingLong(StepTimes::steadyNanos).reversed()).map(it -> it.withShareOf(
      all)).toList();
  }

  private static List<List<Long>> lists(TracedGraph graph) {
    List<List<Long>> lists = new ArrayList<>();
    graph.steps().forEach(step -> lists.add(new ArrayList<>()));
    return lists;
  }

  private static StepTimes of(TracedGraph graph, int step, List<Long> measured) {
    long[] sorted = measured.stream().mapToLong(Long::longValue).sorted().toArray();
    long total = 0;
    for (long nanos : sorted) {
      total += nanos;
    }
    return new StepTimes(graph, step, sorted.length, sorted[(sorted.length - 1) / 2], total, 0);
  }

  private long steadyNanos() {
    return medianNanos * runs;
  }

  private StepTimes withShareOf(long allNanos) {
    return new StepTimes(graph, step, runs, medianNanos, totalNanos, allNanos == 0
      ? 0
      : (double) steadyNanos() / allNanos);
  }

  /** The step. */
  public TracedStep known() {
    return graph.steps().get(step);
  }

  /** One line, without the rest of the graph. */
  @Override
  public String toString() {
    return String.format(Locale.ROOT, "graph=%s step=%d operator=%s node=%s runs=%d medianNanos=%d share=%.3f",
      graph.name(), step, known().operator(), known().node(), runs, medianNanos, share);
  }
}
