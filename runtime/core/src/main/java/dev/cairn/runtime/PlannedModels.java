package dev.cairn.runtime;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.compile.CompiledGraph;
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
  private final Function<Map<String, TensorType>, PlannedModel> maker;
  private final Object making = new Object();
  private final LinkedHashMap<Map<String, TensorType>, Planned> byTypes = new LinkedHashMap<>(16, 0.75f, true);

  /** A plan with how many use it now. */
  static final class Planned {
    private final PlannedModel model;
    private int users;

    private Planned(PlannedModel model) {
      this.model = model;
    }

    PlannedModel model() {
      return model;
    }
  }

  PlannedModels(int most, Function<Map<String, TensorType>, PlannedModel> maker) {
    this.most = most;
    this.maker = maker;
  }

  /**
   * The plan for these types, made now if there is none; the caller's until {@link #giveBack}. While one plan is being
   * made, runs of others go on.
   */
  Planned take(Map<String, TensorType> types) {
    Planned planned = find(types);
    if (planned != null) {
      return planned;
    }
    synchronized (making) {
      Planned made = find(types);
      return made != null ? made : add(types, new Planned(maker.apply(types)));
    }
  }

  private synchronized @Nullable Planned find(Map<String, TensorType> types) {
    Planned planned = byTypes.get(types);
    if (planned != null) {
      planned.users++;
    }
    return planned;
  }

  private synchronized Planned add(Map<String, TensorType> types, Planned planned) {
    planned.users++;
    byTypes.put(Map.copyOf(types), planned);
    giveUpDownTo(most);
    return planned;
  }

  /** Ends the use of a plan; of those that were kept only as they were in use, the oldest go. */
  synchronized void giveBack(Planned planned) {
    planned.users--;
    giveUpDownTo(most);
  }

  /** Gives up the plans that nobody uses now, and the idle executors of the others. For when memory is short. */
  synchronized void giveUpIdle() {
    giveUpDownTo(0);
    byTypes.values().forEach(planned -> planned.model.closeIdle());
  }

  /** What was decided for the types that were run last, or null when nothing has been planned. */
  synchronized @Nullable CompiledGraph latest() {
    return byTypes.isEmpty() ? null : byTypes.lastEntry().getValue().model.graph();
  }

  private void giveUpDownTo(int count) {
    var entries = byTypes.values().iterator();
    while (byTypes.size() > count && entries.hasNext()) {
      Planned oldest = entries.next();
      if (oldest.users == 0) {
        entries.remove();
        oldest.model.close();
      }
    }
  }

  /** Frees all pools and weights; nothing may be in use. */
  @Override
  public synchronized void close() {
    byTypes.values().forEach(planned -> planned.model.close());
    byTypes.clear();
  }
}
