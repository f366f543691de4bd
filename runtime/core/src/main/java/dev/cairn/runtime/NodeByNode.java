package dev.cairn.runtime;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.executor.DynamicExecutor;
import dev.cairn.runtime.executor.DynamicRun;
import dev.cairn.runtime.executor.RunLimit;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.infer.InputBinding;
import dev.cairn.runtime.operator.UnsupportedOperators;
import dev.cairn.runtime.operator.ValueDependentShape;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
  private volatile @Nullable DynamicExecutor executor;

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
    return executor != null;
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
      executor = maker.get();
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

  /** As {@link Session#run(Map, RunOptions)}. */
  Result run(Map<String, Tensor> inputs, RunLimit limit) {
    DynamicExecutor runner = Objects.requireNonNull(executor, "asked only when needed");
    InputBinding.ofTypes(graph, types(inputs));
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
      Map<String, Tensor> results = owned.queue().begin(() -> attempt(runner, views, limit), limit);
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

  private Map<String, Tensor> attempt(DynamicExecutor runner, List<TensorView> views, RunLimit limit) {
    try (DynamicRun run = runner.run(views, limit)) {
      Map<String, TensorType> types = new LinkedHashMap<>();
      for (int i = 0; i < graph.outputs().size(); i++) {
        types.put(graph.outputs().get(i).name(), run.output(i).type());
      }
      Map<String, Tensor> results = owned.newResults(types);
      int index = 0;
      for (Tensor result : results.values()) {
        result.segment().copyFrom(run.output(index++).segment());
      }
      return results;
    }
  }

  @Override
  public void close() {
    DynamicExecutor made = executor;
    if (made != null) {
      made.close();
    }
  }
}
