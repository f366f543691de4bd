package dev.cairn.runtime;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.executor.RunLimit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What runs a model, by the types of its inputs: a plan for each set of types that has been run, of which the least
 * recently used is given up first; or one executor for all types where the model cannot be planned. Thread-safe. A plan
 * that is in use is never given up.
 */
final class PlanCache implements AutoCloseable {
  private final int most;
  private final Maker maker;
  private final Consumer<Runnable> waiting;
  private final Lock making = new ReentrantLock();
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

  /** Plans, or finds that there can be no plan. */
  @FunctionalInterface
  interface Maker {
    GraphExecutor make(Map<String, TensorType> types, RunLimit limit);
  }

  /**
   * @param most how many plans are kept
   * @param waiting how a run waits while another makes a plan
   */
  PlanCache(int most, Maker maker, Consumer<Runnable> waiting) {
    this.most = most;
    this.maker = maker;
    this.waiting = waiting;
  }

  /**
   * What serves these types, made now if there is nothing; the caller's until {@link #giveBack}. While one plan is
   * being made, runs of others go on.
   *
   * @throws dev.cairn.runtime.executor.RunStopped when the limit is reached while another run makes a plan
   */
  Entry take(Map<String, TensorType> types, RunLimit limit) {
    Entry known = find(types);
    if (known != null) {
      return known;
    }
    if (!making.tryLock()) {
      waiting.accept(() -> limit.lock(making));
    }
    try {
      Entry made = find(types);
      return made != null ? made : add(types, new Entry(maker.make(types, limit)));
    } finally {
      making.unlock();
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

  /** All executors of plans. When memory is short, the plans stay, and the executors give their memory back. */
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
