package dev.cairn.runtime;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.executor.DynamicExecutor;
import dev.cairn.runtime.executor.DynamicRun;
import dev.cairn.runtime.executor.RunLimit;
import dev.cairn.runtime.executor.RunListener;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.infer.InputBinding;
import dev.cairn.runtime.operator.UnsupportedOperators;
import dev.cairn.runtime.operator.ValueDependentShape;
import dev.cairn.runtime.trace.RunProbe;
import dev.cairn.runtime.trace.TracedCopy;
import dev.cairn.runtime.trace.TracedGraph;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs of a graph that cannot be planned, since its shapes depend on values. Whether that is so shows when it is
 * planned first. Any number of runs may be under way, as far as memory allows: one that finds none gives all of its own
 * back, waits for others to end, and begins anew. Thread-safe.
 */
final class NodeByNode implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NodeByNode.class);

  private final Graph graph;
  private final SessionParts owned;
  private final Supplier<DynamicExecutor> maker;
  private volatile boolean decided;
  private volatile @Nullable Way way;

  /** How the runs are done, and why so. */
  private record Way(DynamicExecutor executor, TracedGraph traced, String reason) {}

  /** @param maker makes the executor, once, when it is needed */
  NodeByNode(Graph graph, SessionParts owned, Supplier<DynamicExecutor> maker) {
    this.graph = graph;
    this.owned = owned;
    this.maker = maker;
  }

  /**
   * Whether the graph cannot be planned; found out by planning it for these types, if it never was.
   *
   * @throws IllegalArgumentException when the types are not those of the graph's inputs
   */
  boolean isNeeded(Map<String, TensorType> types) {
    if (!decided) {
      decide(types);
    }
    return way != null;
  }

  private synchronized void decide(Map<String, TensorType> types) {
    if (decided) {
      return;
    }
    try {
      owned.plans().giveBack(owned.plans().take(InputBinding.ofTypes(graph, types)));
    } catch (ValueDependentShape e) {
      requireHost(e);
      LOG.info("runs node by node, since it cannot be planned: graph={} reason={}", graph.name(), e.getMessage());
      DynamicExecutor executor = maker.get();
      way = new Way(executor, TraceFacts.unplanned(graph, executor.steps(), owned.backend().target().device()
        .description()), String.valueOf(e.getMessage()));
    }
    decided = true;
  }

  /** Types depend on values there, and values that the host cannot read are of no use. */
  private void requireHost(ValueDependentShape cause) {
    if (!owned.backend().target().isHost()) {
      String operator = graph.nodes().stream().filter(node -> node.name().equals(cause.node())).map(Node::operator)
        .findFirst().orElse("a shape");
      var gap = new UnsupportedOperators.Gap(cause.node(), operator,
        "its shape depends on a value, which runs on cpu only: "
          + "device=" + owned.backend().target().device().id());
      throw new UnsupportedOperators(List.of(gap));
    }
  }

  /** Why the graph runs without a plan; empty when it has one, and as long as that is not known. */
  Optional<String> reason() {
    return Optional.ofNullable(way).map(Way::reason);
  }

  /** As {@link Session#run(Map, RunOptions)}. */
  Result run(Map<String, Tensor> inputs, RunLimit limit) {
    Way how = Objects.requireNonNull(way, "asked only when needed");
    InputBinding.ofTypes(graph, types(inputs));
    RunTracing tracing = RunTracing.begin(owned.options().tracer(), how::traced);
    return tracing.of(() -> runInTurn(how.executor(), inputs, limit, tracing));
  }

  private Result runInTurn(DynamicExecutor executor, Map<String, Tensor> inputs, RunLimit limit, RunTracing tracing) {
    limit.checkWaiting();
    Lock variables = owned.variables().forRun();
    limit.lock(variables);
    List<Tensor> used = new ArrayList<>();
    try {
      List<TensorView> views = new ArrayList<>();
      for (Node input : graph.inputs()) {
        Tensor tensor = Objects.requireNonNull(inputs.get(input.name()), input.name());
        views.add(tensor.beginUse());
        used.add(tensor);
      }
      RunListener listener = RunListener.both(owned.options().listeners().listenerFor(executor.steps()), tracing
        .listener());
      Map<String, Tensor> results = owned.queue().begin(() -> {
        tracing.probe().admitted();
        try (DynamicRun run = executor.run(views, limit, listener)) {
          return copies(run, tracing.probe());
        }
      }, limit);
      owned.queue().end();
      return new Result(results);
    } finally {
      used.forEach(Tensor::endUse);
      variables.unlock();
    }
  }

  static Map<String, TensorType> types(Map<String, Tensor> inputs) {
    Map<String, TensorType> types = new LinkedHashMap<>();
    inputs.forEach((name, tensor) -> types.put(name, Objects.requireNonNull(tensor, "input " + name).type()));
    return types;
  }

  /** The outputs in memory of their own, which lasts longer than the run's. */
  private Map<String, Tensor> copies(DynamicRun run, RunProbe probe) {
    Map<String, TensorType> types = new LinkedHashMap<>();
    for (int i = 0; i < graph.outputs().size(); i++) {
      types.put(graph.outputs().get(i).name(), run.output(i).type());
    }
    Map<String, Tensor> results = owned.newResults(types);
    int index = 0;
    for (Map.Entry<String, Tensor> result : results.entrySet()) {
      TensorView from = run.output(index);
      probe.copyBegan(index);
      result.getValue().segment().copyFrom(from.segment());
      probe.copyFound(index, new TracedCopy(result.getKey(), from.type().toString(), from.type().bytes()));
      probe.copyEnded(index++);
    }
    return results;
  }

  @Override
  public void close() {
    Way made = way;
    if (made != null) {
      made.executor().close();
    }
  }
}
