package dev.cairn.gpu.model;

import dev.cairn.gpu.SimulatedTimeline;
import dev.cairn.gpu.SimulatedTimeline.Piece;
import dev.cairn.gpu.Simulator;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.memory.analysis.StreamSchedule;
import dev.cairn.runtime.trace.RunObserver;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The schedule that a run had in fact, by the simulator's timeline: on which stream each step's work was, and which
 * steps of other streams were sure to have ended by then. For a run in which {@link #labels} listened.
 */
final class ExecutedOrder {
  private static final String STEP = "step ";

  private final Map<String, Integer> streams = new LinkedHashMap<>();
  private final Map<String, Integer> lastStep = new HashMap<>();
  private final Map<String, Set<Integer>> known = new HashMap<>();
  private final Map<Long, Set<Integer>> moments = new HashMap<>();
  private final Map<Integer, StreamSchedule.Step> steps = new HashMap<>();
  private final CompiledGraph graph;

  private ExecutedOrder(CompiledGraph graph) {
    this.graph = graph;
  }

  /** Names each step's work in the timeline. */
  static RunObserver labels(Simulator simulator) {
    return new RunObserver() {
      @Override
      public void admitted() {
        simulator.label("");
      }

      @Override
      public void stepBegan(int step, int stream) {
        simulator.label(STEP + step);
      }

      @Override
      public void stepEnded(int step, int stream) {
        simulator.label("");
      }

      @Override
      public void ended(boolean failed) {
        simulator.label("");
      }
    };
  }

  /** @throws AssertionError when a step is on two streams, or has left no work */
  static StreamSchedule of(CompiledGraph graph, SimulatedTimeline timeline) {
    var order = new ExecutedOrder(graph);
    timeline.pieces().forEach(order::add);
    List<StreamSchedule.Step> all = new ArrayList<>();
    for (int step = 0; step < graph.storage().steps().size(); step++) {
      StreamSchedule.Step made = order.steps.get(step);
      if (made == null) {
        throw new AssertionError("a step left no work: step=%d node=%s".formatted(step, graph.storage().steps().get(
          step).name()));
      }
      all.add(made);
    }
    return new StreamSchedule(order.streams.size(), all);
  }

  private void add(Piece piece) {
    if (piece.isRecord()) {
      moments.put(piece.moment(), ended(piece.stream()));
    } else if (piece.isWait()) {
      known.computeIfAbsent(piece.stream(), _ -> new TreeSet<>()).addAll(moments.getOrDefault(piece.moment(), Set
        .of()));
    } else if (piece.label().startsWith(STEP)) {
      step(Integer.parseInt(piece.label().substring(STEP.length())), piece.stream());
    }
  }

  /** What has ended when all that the stream has so far has ended. */
  private Set<Integer> ended(String stream) {
    Set<Integer> all = new TreeSet<>(known.getOrDefault(stream, Set.of()));
    Integer last = lastStep.get(stream);
    if (last != null) {
      all.add(last);
    }
    return all;
  }

  private void step(int number, String stream) {
    int index = streams.computeIfAbsent(stream, _ -> streams.size());
    StreamSchedule.Step before = steps.get(number);
    if (before != null && before.stream() != index) {
      throw new AssertionError("a step is on two streams: step=%d stream=%s".formatted(number, stream));
    }
    if (before == null) {
      List<Integer> waits = known.getOrDefault(stream, Set.of()).stream().filter(it -> steps.get(it).stream() != index)
        .toList();
      steps.put(number, new StreamSchedule.Step(index, waits, graph.schedule().steps().get(number).uses()));
      known.remove(stream);
    }
    lastStep.put(stream, number);
  }
}
