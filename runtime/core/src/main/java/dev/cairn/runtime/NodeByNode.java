package dev.cairn.runtime;

import dev.cairn.allocator.Block;
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
    List<TensorMemory> used = new ArrayList<>();
    try {
      List<TensorView> views = new ArrayList<>();
      for (Node input : graph.inputs()) {
        TensorMemory memory = Objects.requireNonNull(inputs.get(input.name()), input.name()).memory();
        views.add(memory.beginUse(owned.backend().target().device().id()).view());
        used.add(memory);
      }
      RunListener listener = RunListener.both(owned.options().listeners().listenerFor(executor.steps()), tracing
        .listener());
      Map<String, Tensor> results = owned.queue().begin(() -> {
        tracing.probe().admitted();
        try (DynamicRun run = executor.run(views, limit, listener)) {
          return results(run, tracing.probe());
        }
      }, limit);
      owned.queue().end();
      return new Result(results);
    } finally {
      used.forEach(TensorMemory::endUse);
      variables.unlock();
    }
  }

  static Map<String, TensorType> types(Map<String, Tensor> inputs) {
    Map<String, TensorType> types = new LinkedHashMap<>();
    inputs.forEach((name, tensor) -> types.put(name, Objects.requireNonNull(tensor, "input " + name).type()));
    return types;
  }

  /** The outputs, with the memory that the run gave them; copies of those that are not the run's own. */
  private Map<String, Tensor> results(DynamicRun run, RunProbe probe) {
    Map<String, Tensor> results = new LinkedHashMap<>();
    try {
      for (int i = 0; i < graph.outputs().size(); i++) {
        results.put(graph.outputs().get(i).name(), result(run, i, probe));
      }
      return results;
    } catch (RuntimeException | Error e) {
      Tensor.closeAll(results.values());
      throw e;
    }
  }

  private Tensor result(DynamicRun run, int index, RunProbe probe) {
    TensorView from = run.output(index);
    Optional<Block> own = run.takeOutput(index);
    String name = graph.outputs().get(index).name();
    probe.copyFound(index, new TracedCopy(name, from.type().toString(), from.type().bytes()));
    if (own.isPresent()) {
      return owned.memory().owning(from.type(), own.get());
    }
    Tensor copy = owned.memory().newResult(name, from.type(), false);
    probe.copyBegan(index);
    copy.memory().located().view().segment().copyFrom(from.segment());
    probe.copyEnded(index);
    return copy;
  }

  @Override
  public void close() {
    Way made = way;
    if (made != null) {
      made.executor().close();
    }
  }
}
