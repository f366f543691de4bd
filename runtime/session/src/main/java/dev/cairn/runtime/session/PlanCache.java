package dev.cairn.runtime.session;

import dev.cairn.kernels.device.Closing;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.budget.MemoryQueue;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.executor.RunLimit;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The executors of a model, by the types of its inputs and the values that decide shapes: a plan for each key that has
 * been run, of which the least recently used is given up first; or one executor for all inputs where the model cannot
 * be planned. Thread-safe. A plan that is in use is never given up.
 */
final class PlanCache implements AutoCloseable {
  private final int most;
  private final Maker maker;
  private final MemoryQueue queue;
  private final Lock making = new ReentrantLock();
  private final ShapeValues shapeValues;
  private final LinkedHashMap<PlanKey, Entry> byKey = new LinkedHashMap<>(16, 0.75f, true);
  private @Nullable Entry forAllInputs;

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
    /** Empty when it found more inputs whose values decide shapes: then the key lacks them. */
    Optional<GraphExecutor> make(PlanKey key);
  }

  /**
   * @param most how many plans are kept
   * @param shapeValues which values belong to a plan's key; the maker adds to them
   * @param queue counts the runs that wait while another makes a plan
   */
  PlanCache(int most, ShapeValues shapeValues, Maker maker, MemoryQueue queue) {
    this.most = most;
    this.shapeValues = shapeValues;
    this.maker = maker;
    this.queue = queue;
  }

  /**
   * The executor for these inputs, made now if there is none; the caller's until {@link #giveBack}. While one plan is
   * being made, runs of others go on.
   *
   * @param values the bytes of an input, read only where they decide a shape
   * @throws dev.cairn.runtime.executor.RunStopped when the limit is reached while another run makes a plan
   */
  Entry take(Map<String, TensorType> types, Function<String, ByteBuffer> values, RunLimit limit) {
    shapeValues.countRun();
    Entry known = find(shapeValues.key(types, values));
    if (known != null) {
      return known;
    }
    lockMaking(limit);
    try {
      while (true) {
        PlanKey key = shapeValues.key(types, values);
        Entry made = find(key);
        if (made == null) {
          made = maker.make(key).map(it -> add(key, new Entry(it))).orElse(null);
        }
        if (made != null) {
          return made;
        }
      }
    } finally {
      making.unlock();
    }
  }

  /** Like {@link #take} before the values of inputs are known; empty if they decide shapes. */
  Optional<Entry> take(Map<String, TensorType> types, RunLimit limit) {
    var key = new PlanKey(types, Map.of());
    lockMaking(limit);
    try {
      Entry known = find(key);
      return known != null ? Optional.of(known) : maker.make(key).map(it -> add(key, new Entry(it)));
    } finally {
      making.unlock();
    }
  }

  private void lockMaking(RunLimit limit) {
    if (making.tryLock()) {
      return;
    }
    queue.beginWait();
    try {
      limit.lock(making);
    } finally {
      queue.endWait();
    }
  }

  private synchronized @Nullable Entry find(PlanKey key) {
    Entry found = forAllInputs != null ? forAllInputs : byKey.get(key);
    if (found != null) {
      found.users++;
    }
    return found;
  }

  private synchronized Entry add(PlanKey key, Entry entry) {
    entry.users++;
    if (entry.executor.unplannedReason().isPresent()) {
      forAllInputs = entry;
    } else {
      byKey.put(key, entry);
    }
    giveUpDownTo(mostPlans());
    return entry;
  }

  /** Ends the use of a plan; of the plans that were kept only because they were in use, the oldest go. */
  synchronized void giveBack(Entry entry) {
    entry.users--;
    giveUpDownTo(mostPlans());
  }

  private int mostPlans() {
    return forAllInputs == null ? most : 0;
  }

  /** All executors of plans. When memory is short, the plans stay, and the executors give their memory back. */
  synchronized List<GraphExecutor> executors() {
    return Stream.concat(byKey.values().stream(), Stream.ofNullable(forAllInputs)).map(Entry::executor).toList();
  }

  /** The compiled graph for the inputs that ran last; empty when nothing has been planned. */
  synchronized Optional<CompiledGraph> latest() {
    return byKey.isEmpty() ? Optional.empty() : byKey.lastEntry().getValue().executor.compiled();
  }

  /** Like {@link GraphExecutor#parts}, for the inputs that were run last. */
  synchronized List<CompiledGraph> parts() {
    Entry latest = forAllInputs != null ? forAllInputs : byKey.isEmpty() ? null : byKey.lastEntry().getValue();
    return latest == null ? List.of() : latest.executor.parts();
  }

  /** Why the model runs without a plan; empty when it has one, and as long as that is not known. */
  synchronized Optional<String> unplannedReason() {
    return forAllInputs == null ? Optional.empty() : forAllInputs.executor.unplannedReason();
  }

  private void giveUpDownTo(int count) {
    var entries = byKey.values().iterator();
    while (byKey.size() > count && entries.hasNext()) {
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
    var closing = new Closing();
    byKey.values().forEach(it -> closing.end(it.executor::close));
    byKey.clear();
    Entry last = forAllInputs;
    if (last != null) {
      closing.end(last.executor::close);
      forAllInputs = null;
    }
    closing.throwFailure();
  }
}
