package dev.cairn.runtime;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.compile.CompiledGraph;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What runs a model, by the types of its inputs: a plan for each set of types that has been run, of which the least
 * recently used is given up first; or one executor for all types where the model cannot be planned. Thread-safe. A plan
 * that is in use is never given up.
 */
final class PlanCache implements AutoCloseable {
  private final int most;
  private final Function<Map<String, TensorType>, GraphExecutor> maker;
  private final Object making = new Object();
  private final LinkedHashMap<Map<String, TensorType>, Entry> byTypes = new LinkedHashMap<>(16, 0.75f, true);
  private @Nullable Entry forAllTypes;

  /** An executor, and how many use it now. */
  static final class Entry {
    private final GraphExecutor executor;
    private int users;

    private Entry(GraphExecutor executor) {
      this.executor = executor;
    }

    GraphExecutor executor() {
      return executor;
    }
  }

  PlanCache(int most, Function<Map<String, TensorType>, GraphExecutor> maker) {
    this.most = most;
    this.maker = maker;
  }

  /**
   * What serves these types, made now if there is nothing; the caller's until {@link #giveBack}. While one plan is
   * being made, runs of others go on.
   */
  Entry take(Map<String, TensorType> types) {
    Entry known = find(types);
    if (known != null) {
      return known;
    }
    synchronized (making) {
      Entry made = find(types);
      return made != null ? made : add(types, new Entry(maker.apply(types)));
    }
  }

  private synchronized @Nullable Entry find(Map<String, TensorType> types) {
    Entry found = forAllTypes != null ? forAllTypes : byTypes.get(types);
    if (found != null) {
      found.users++;
    }
    return found;
  }

  private synchronized Entry add(Map<String, TensorType> types, Entry entry) {
    entry.users++;
    if (entry.executor.unplannedReason().isPresent()) {
      forAllTypes = entry;
    } else {
      byTypes.put(Map.copyOf(types), entry);
      giveUpDownTo(most);
    }
    return entry;
  }

  /** Ends the use of a plan; of those that were kept only as they were in use, the oldest go. */
  synchronized void giveBack(Entry entry) {
    entry.users--;
    giveUpDownTo(most);
  }

  /** All executors: the plans stay when memory is short, what they hold need not. */
  synchronized List<GraphExecutor> executors() {
    return byTypes.values().stream().map(Entry::executor).toList();
  }

  /** What was decided for the types that were run last; empty when nothing has been planned. */
  synchronized Optional<CompiledGraph> latest() {
    return byTypes.isEmpty() ? Optional.empty() : byTypes.lastEntry().getValue().executor.compiled();
  }

  /** Why the model runs without a plan; empty when it has one, and as long as that is not known. */
  synchronized Optional<String> unplannedReason() {
    return forAllTypes == null ? Optional.empty() : forAllTypes.executor.unplannedReason();
  }

  private void giveUpDownTo(int count) {
    var entries = byTypes.values().iterator();
    while (byTypes.size() > count && entries.hasNext()) {
      Entry oldest = entries.next();
      if (oldest.users == 0) {
        entries.remove();
        oldest.executor.close();
      }
    }
  }

  /** Closes all executors; nothing may be in use. */
  @Override
  public synchronized void close() {
    byTypes.values().forEach(it -> it.executor.close());
    byTypes.clear();
    if (forAllTypes != null) {
      forAllTypes.executor.close();
      forAllTypes = null;
    }
  }
}
