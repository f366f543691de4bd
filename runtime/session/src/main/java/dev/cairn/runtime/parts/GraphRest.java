package dev.cairn.runtime.parts;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.GraphCut;
import dev.cairn.runtime.executor.RunLimit;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What is left of a graph after a cut, or the whole graph before the first: for each set of input types that came, the
 * stage that runs next. The least recently used stages are given up. Where the types change too often for plans to pay,
 * all of it runs node by node. Thread-safe.
 */
final class GraphRest {
  /** How many stages are kept. */
  private static final int MOST_STAGES = 32;
  /** After this many cuts, the rest runs node by node. */
  private static final int MOST_CUTS = 64;

  private final Graph graph;
  private final PartSource source;
  private final StepPlaces places;
  private final int cuts;
  private final GraphStage.Done before;
  private final Lock lock = new ReentrantLock();
  private final Map<Map<String, TensorType>, GraphStage> stages = new LinkedHashMap<>(16, 0.75f, true);
  private final PlanRate rate = new PlanRate();
  private @Nullable GraphStage unplanned;
  private final LargestPart largest;
  /** Stages in memory of the largest types that was given up, which runs still use. */
  private final List<GraphStage> retired = new ArrayList<>();

  /** The whole graph. */
  GraphRest(Graph graph, PartSource source) {
    this(graph, source, new StepPlaces(graph), 0, Map.of(), GraphStage.Done.NOTHING);
  }

  private GraphRest(Graph graph, PartSource source, StepPlaces places, int cuts, Map<String, TensorType> bounds,
    GraphStage.Done before) {
    this.graph = graph;
    this.source = source;
    this.places = places;
    this.cuts = cuts;
    this.before = before;
    this.largest = new LargestPart(source, bounds);
  }

  Graph graph() {
    return graph;
  }

  /**
   * The stage for inputs of these types; the caller's until {@link #giveBack}.
   *
   * @throws dev.cairn.allocator.OutOfMemory when the constants of nodes without a plan do not fit
   */
  GraphStage take(Map<String, TensorType> types, RunLimit limit) {
    limit.lock(lock);
    try {
      rate.countRun();
      GraphStage stage = unplanned != null ? unplanned : stages.get(types);
      if (stage == null) {
        stage = cuts == MOST_CUTS || (cuts > 0 && rate.isHigh()) ? nodeByNode() : add(types);
      }
      stage.users++;
      giveUpDownTo(unplanned == null ? MOST_STAGES : 0);
      return stage;
    } finally {
      lock.unlock();
    }
  }

  void giveBack(GraphStage stage) {
    lock.lock();
    try {
      stage.users--;
      giveUpDownTo(unplanned == null ? MOST_STAGES : 0);
      closeRetired();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Plans for the types of each run from now on, not for the largest ones, whose memory goes back as soon as no run
   * uses it. Returns whether any had been taken.
   */
  boolean giveUpLargest() {
    lock.lock();
    try {
      boolean had = largest.giveUp();
      if (had) {
        stages.values().removeIf(stage -> isShared(stage) && retired.add(stage));
      }
      for (GraphStage stage : stages.values()) {
        had |= stage.rest() != null && stage.rest().giveUpLargest();
      }
      closeRetired();
      return had;
    } finally {
      lock.unlock();
    }
  }

  private static boolean isShared(GraphStage stage) {
    return stage.parts().stream()
      .anyMatch(it -> it instanceof GraphPart.Planned planned && planned.executor().isWithin());
  }

  private void closeRetired() {
    retired.removeIf(stage -> {
      if (stage.users == 0) {
        stage.close();
      }
      return stage.users == 0;
    });
    if (retired.isEmpty()) {
      largest.closeGivenUp();
    }
  }

  private GraphStage add(Map<String, TensorType> types) {
    GraphStage made = planned(types);
    rate.countPlan();
    stages.put(types, made);
    return made;
  }

  private void giveUpDownTo(int count) {
    var kept = stages.values().iterator();
    while (stages.size() > count && kept.hasNext()) {
      GraphStage oldest = kept.next();
      if (oldest.users == 0) {
        kept.remove();
        oldest.close();
      }
    }
  }

  private GraphStage nodeByNode() {
    Map<String, String> outputs = new LinkedHashMap<>();
    graph.outputs().forEach(it -> outputs.put(it.name(), it.name()));
    List<GraphPart> parts = List.of(source.unplanned(graph, places));
    GraphStage made = new GraphStage(parts, before.and(outputs, parts), null);
    unplanned = made;
    return made;
  }

  private GraphStage planned(Map<String, TensorType> types) {
    GraphCut cut = source.cut(graph, types);
    List<GraphPart> parts = new ArrayList<>();
    try {
      cut.known().ifPresent(part -> parts.add(known(part, types)));
      cut.open().map(it -> source.unplanned(it, places)).ifPresent(parts::add);
    } catch (RuntimeException | Error e) {
      parts.forEach(GraphPart::close);
      throw e;
    }
    GraphStage.Done done = before.and(cut.outputs(), parts);
    GraphRest rest = cut.rest().map(it -> new GraphRest(it, source, places, cuts + 1, bounds(it, types, cut), done))
      .orElse(null);
    return new GraphStage(parts, done, rest);
  }

  private static Map<String, TensorType> bounds(Graph rest, Map<String, TensorType> types, GraphCut cut) {
    Map<String, TensorType> bounds = new LinkedHashMap<>();
    for (Node input : rest.inputs()) {
      TensorType bound = types.getOrDefault(input.name(), cut.bounds().get(input.name()));
      if (bound == null) {
        return Map.of();
      }
      bounds.put(input.name(), bound);
    }
    return bounds;
  }

  private GraphPart known(Graph part, Map<String, TensorType> types) {
    Map<String, TensorType> own = ofPart(part, types);
    Optional<PlannedExecutor> inside = largest.within(part, own);
    if (inside.isPresent()) {
      return source.planned(inside.get(), places);
    }
    Optional<CompiledGraph> compiled = source.compiled(part, own);
    if (compiled.isEmpty()) {
      return source.unplanned(part, places);
    }
    if (largest.plan(part, compiled.get())) {
      return known(part, types);
    }
    return source.planned(source.executors().planned(compiled.get()), places);
  }

  /** The types of a part's inputs. */
  static Map<String, TensorType> ofPart(Graph part, Map<String, TensorType> types) {
    Map<String, TensorType> own = new LinkedHashMap<>();
    for (Node input : part.inputs()) {
      TensorType type = types.get(input.name());
      if (type == null) {
        throw new AssertionError("a known part has typed inputs alone: input=" + input);
      }
      own.put(input.name(), type);
    }
    return own;
  }

  /** Calls this for each planned part. */
  void forEachPlanned(Consumer<PlannedExecutor> action) {
    lock.lock();
    try {
      for (GraphStage stage : stages.values()) {
        for (GraphPart part : stage.parts()) {
          if (part instanceof GraphPart.Planned planned) {
            action.accept(planned.executor());
          }
        }
        if (stage.rest() != null) {
          stage.rest().forEachPlanned(action);
        }
      }
      largest.ifPlanned(action);
    } finally {
      lock.unlock();
    }
  }

  /** No run may be under way. */
  void close() {
    stages.values().forEach(GraphStage::close);
    stages.clear();
    retired.forEach(GraphStage::close);
    retired.clear();
    if (unplanned != null) {
      unplanned.close();
    }
    largest.close();
  }
}
