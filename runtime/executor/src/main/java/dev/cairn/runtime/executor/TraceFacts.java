package dev.cairn.runtime.executor;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.memory.Lifetime;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.analysis.Place;
import dev.cairn.runtime.trace.TracedCopy;
import dev.cairn.runtime.trace.TracedGraph;
import dev.cairn.runtime.trace.TracedStep;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** The facts of a compiled graph in traces: the same in words and numbers, without the graph. Stateless. */
public final class TraceFacts {
  private TraceFacts() {}

  public static TracedGraph of(CompiledGraph compiled, String device) {
    long[] live = liveBytes(compiled, compiled.storage().steps().size());
    List<TracedStep> steps = new ArrayList<>();
    for (int step = 0; step < live.length; step++) {
      steps.add(step(compiled, step, live[step]));
    }
    List<TracedCopy> copies = new ArrayList<>();
    compiled.outputTypes().forEach((name, type) -> copies.add(new TracedCopy(name, type.toString(), type.bytes())));
    return new TracedGraph(compiled.graph().graph().name(), device, compiled.schedule().streams(),
      compiled.score().peakBytes(), steps, copies);
  }

  /** The facts of a graph whose types only a run finds. */
  public static TracedGraph unplanned(Graph graph, String device) {
    List<TracedStep> named = graph.nodes().stream().filter(Node::isComputed)
      .map(it -> new TracedStep(it.name(), it.operator(), "", "", 0, 0, 0, List
        .of()))
      .toList();
    List<TracedCopy> copies = graph.outputs().stream().map(it -> new TracedCopy(it.name(), "", 0)).toList();
    return new TracedGraph(graph.name(), device, 1, 0, named, copies);
  }

  private static TracedStep step(CompiledGraph compiled, int step, long liveBytes) {
    Node node = compiled.storage().steps().get(step);
    List<TensorType> read = types(compiled, node.operands().stream().filter(it -> !it.isAbsent()).toList());
    List<TensorType> written = types(compiled, node.entries());
    String kernel = compiled.kernels().get(step).twin().name().toLowerCase(Locale.ROOT);
    return new TracedStep(node.name(), node.operator(), kernel, words(read) + " -> " + words(written), bytes(read),
      bytes(written), liveBytes, compiled.schedule().steps().get(step).waits());
  }

  private static List<TensorType> types(CompiledGraph compiled, List<NodeEntry> entries) {
    return entries.stream().map(compiled.types()::type).toList();
  }

  static String words(List<TensorType> types) {
    return types.stream().map(TensorType::toString).collect(Collectors.joining(", "));
  }

  static long bytes(List<TensorType> types) {
    return types.stream().mapToLong(TensorType::bytes).sum();
  }

  /**
   * For each step, the bytes of the buffers that are needed then, and of the results, which are held from the start.
   */
  private static long[] liveBytes(CompiledGraph compiled, int steps) {
    MemoryProblem problem = compiled.storage().problem();
    long[] live = new long[steps];
    Arrays.fill(live, boundBytes(compiled));
    List<List<Lifetime>> active = problem.active();
    for (int buffer = 0; buffer < problem.size(); buffer++) {
      long bytes = problem.buffer(buffer).bytes();
      for (Lifetime life : active.get(buffer)) {
        for (int step = life.first(); step < Math.min(life.end(), steps); step++) {
          live[step] += bytes;
        }
      }
    }
    return live;
  }

  private static long boundBytes(CompiledGraph compiled) {
    Set<Integer> bound = new HashSet<>();
    compiled.storage().places().forEach(it -> {
      if (it instanceof Place.Result(int output)) {
        bound.add(output);
      }
    });
    List<TensorType> types = List.copyOf(compiled.outputTypes().values());
    return bound.stream().mapToLong(it -> types.get(it).bytes()).sum();
  }
}
