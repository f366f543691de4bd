package dev.cairn.runtime.cached;

import dev.cairn.runtime.autograd.Autograd;
import dev.cairn.runtime.autograd.TapedGradient;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.ndarray.ArrayOptions;
import dev.cairn.runtime.ndarray.ArrayRuntime;
import dev.cairn.runtime.ndarray.FollowedCalls;
import dev.cairn.runtime.ndarray.NDArray;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.session.SessionOptions;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The plans of one signature: a session for the forward graph and, where gradients are wanted, one for the backward
 * graph. The values that the backward graph reads are further results of the forward graph. Closes when it is closed,
 * no call is under way and no gradient is pending.
 */
final class PlannedCall {
  private final Session forward;
  private final SplitGradient split;
  private final @Nullable Session backward;
  private final ArrayRuntime arrays;
  private final PendingCalls pending;
  private final RetiredPlans retired;
  private int users = 1;

  private PlannedCall(ArrayRuntime arrays, Session forward, SplitGradient split, @Nullable Session backward,
    PendingCalls pending, RetiredPlans retired) {
    this.arrays = arrays;
    this.retired = retired;
    this.forward = forward;
    this.split = split;
    this.backward = backward;
    this.pending = pending;
  }

  /**
   * Plans the calls of a sketch.
   *
   * @param device runs the plans
   * @param wanted the inputs whose gradients are wanted
   * @param retired takes the plans when nothing uses them any more
   */
  static PlannedCall of(CallInputs inputs, String device, BitSet wanted, PendingCalls pending, RetiredPlans retired) {
    ArrayOptions options = FollowedCalls.options(inputs.arrays());
    SplitGradient split = SplitGradient.of(inputs.sketch(), wanted, options.operators());
    SessionOptions opening = SessionOptions.DEFAULT.withThreads(options.threads()).withOperators(options.operators())
      .withDevice(FollowedCalls.deviceOptions(inputs.arrays(), device)).withMaxPlans(1)
      .withMemory(CallPlanMemory.of(inputs.arrays(), device));
    Session forward = Session.of(split.forward(), opening);
    Graph graph = split.backward();
    try {
      return new PlannedCall(inputs.arrays(), forward, split, graph == null ? null : Session.of(graph, opening),
        pending, retired);
    } catch (RuntimeException | Error e) {
      forward.close();
      throw e;
    }
  }

  /** Keeps the plans until one more {@link #end}; false if they are gone. */
  synchronized boolean begin() {
    if (users == 0) {
      return false;
    }
    users++;
    return true;
  }

  void end() {
    synchronized (this) {
      users--;
      if (users > 0) {
        return;
      }
    }
    retired.add(this);
    retired.close();
  }

  /** Whether this thread may wait for runs. */
  boolean mayClose() {
    return !FollowedCalls.isInside(arrays);
  }

  /** Gives the memory back. */
  void closeSessions() {
    try (Session _ = backward) {
      forward.close();
    }
  }

  List<NDArray> call(CallInputs inputs) {
    List<NDArray> results = new ArrayList<>(inputs.arrays().run(forward, inputs.named()).values());
    Sketch sketch = inputs.sketch();
    int all = sketch.graph().outputs().size();
    int own = all - sketch.states().size();
    List<NDArray> kept = results.subList(all, results.size());
    List<NDArray> given = List.copyOf(results.subList(0, own));
    Session back = backward;
    if (back != null) {
      record(inputs, given, kept, back);
    }
    for (int i = own; i < all; i++) {
      sketch.states().get(i - own).copyFrom(results.get(i));
    }
    results.subList(own, results.size()).forEach(NDArray::close);
    return given;
  }

  private void record(CallInputs inputs, List<NDArray> given, List<NDArray> kept, Session back) {
    List<NDArray> saved = new ArrayList<>();
    split.savedInputs().forEach(it -> saved.add(inputs.all().get(it)));
    split.savedOutputs().forEach(it -> saved.add(given.get(it)));
    saved.addAll(kept);
    long bytes = kept.stream().mapToLong(it -> it.type().bytes()).sum();
    begin();
    pending.add(bytes);
    var gradient = new Gradient(back, bytes);
    boolean isRecorded = false;
    try {
      isRecorded = Autograd.recorded("cached function", inputs.all(), given, saved, gradient);
    } finally {
      if (!isRecorded) {
        gradient.givenUp();
      }
    }
  }

  /** The second phase of one call. */
  private final class Gradient implements TapedGradient {
    private final Session back;
    private final long bytes;
    private final AtomicBoolean over = new AtomicBoolean();

    Gradient(Session back, long bytes) {
      this.back = back;
      this.bytes = bytes;
    }

    @Override
    public List<@Nullable NDArray> of(List<NDArray> saved, List<NDArray> heads, BitSet wanted) {
      Map<String, NDArray> inputs = new LinkedHashMap<>();
      List<String> names = split.backwardInputs();
      for (int i = 0; i < names.size(); i++) {
        inputs.put(names.get(i), i < saved.size() ? saved.get(i) : heads.get(i - saved.size()));
      }
      NDArray any = heads.get(0);
      List<NDArray> made = new ArrayList<>(any.runtime().run(back, inputs).values());
      List<@Nullable NDArray> gradients = new ArrayList<>();
      for (int i = 0; i < split.inputs(); i++) {
        int place = split.gradientOf(i);
        gradients.add(place < 0 || !wanted.get(i) ? null : made.get(place));
      }
      made.stream().filter(it -> !gradients.contains(it)).forEach(NDArray::close);
      return gradients;
    }

    @Override
    public boolean isRecordable() {
      return false;
    }

    /** Counts once: a recording that throws may have said so already. */
    @Override
    public void givenUp() {
      if (!over.getAndSet(true)) {
        pending.remove(bytes);
        end();
      }
    }
  }
}
