package dev.cairn.runtime;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.executor.ExecutorPool;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The plans of one model, one for each set of input types that has been run, the least recently used given up first.
 * Thread-safe. A plan that is in use is never given up.
 */
final class PlannedModels implements AutoCloseable {
  private final int most;
  private final Function<Map<String, TensorType>, Planned> maker;
  private final LinkedHashMap<Map<String, TensorType>, Planned> byTypes = new LinkedHashMap<>(16, 0.75f, true);

  /** A compiled graph and the executors that run it. */
  static final class Planned {
    private final CompiledGraph graph;
    private final ExecutorPool<Map<String, Tensor>> executors;
    private int users;

    Planned(CompiledGraph graph, ExecutorPool<Map<String, Tensor>> executors) {
      this.graph = graph;
      this.executors = executors;
    }

    CompiledGraph graph() {
      return graph;
    }

    ExecutorPool<Map<String, Tensor>> executors() {
      return executors;
    }
  }

  PlannedModels(int most, Function<Map<String, TensorType>, Planned> maker) {
    this.most = most;
    this.maker = maker;
  }

  /** The plan for these types, made now if there is none; the caller's until {@link #giveBack}. */
  synchronized Planned take(Map<String, TensorType> types) {
    Planned planned = byTypes.get(types);
    if (planned == null) {
      giveUpDownTo(most - 1);
      planned = maker.apply(types);
      byTypes.put(Map.copyOf(types), planned);
    }
    planned.users++;
    return planned;
  }

  synchronized void giveBack(Planned planned) {
    planned.users--;
  }

  /** Gives up the plans that nobody uses now; true when there was one. For when memory is short. */
  synchronized boolean giveUpIdle() {
    int before = byTypes.size();
    giveUpDownTo(0);
    return byTypes.size() < before;
  }

  /** The plan that was used last, or null when nothing has been planned. */
  synchronized @Nullable CompiledGraph latest() {
    return byTypes.isEmpty() ? null : byTypes.lastEntry().getValue().graph();
  }

  private void giveUpDownTo(int count) {
    var entries = byTypes.values().iterator();
    while (byTypes.size() > count && entries.hasNext()) {
      Planned oldest = entries.next();
      if (oldest.users == 0) {
        entries.remove();
        oldest.executors().close();
      }
    }
  }

  /** Frees all pools; nothing may be in use. */
  @Override
  public synchronized void close() {
    byTypes.values().forEach(planned -> planned.executors().close());
    byTypes.clear();
  }
}
