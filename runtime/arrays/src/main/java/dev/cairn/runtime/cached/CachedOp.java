package dev.cairn.runtime.cached;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.autograd.Autograd;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.ndarray.ArrayRuntime;
import dev.cairn.runtime.ndarray.FollowedCalls;
import dev.cairn.runtime.ndarray.NDArray;
import dev.cairn.runtime.operator.ValueDependentShape;
import dev.cairn.runtime.symbol.Symbol;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A function on arrays that is called like the function itself, and runs as one planned graph: one operation of the
 * engine a call (C-2, C-3). It keeps a plan for each signature: types of the operands, whether the thread trains, and
 * which gradients are wanted. A call that is recorded keeps what its gradient reads, and its backward is one planned
 * graph, too. Results have the bits that the function gives. Thread-safe.
 *
 * <pre>{@code
 * try (var layer = CachedOp.of(x -> List.of(x.get(0).linear(weight, bias).relu()), CachedOpOptions.DEFAULT)) {
 *   NDArray y = layer.call(x).get(0);
 * }
 * }</pre>
 *
 * <p>Arrays that the function uses besides its operands are read anew in each call. If the function itself changes, as
 * when a layer gets another child, call {@link #dropPlans}.
 */
public final class CachedOp implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CachedOp.class);

  private static final String NAME = "cached function";

  private final UnaryOperator<List<NDArray>> function;
  private final CachedOpOptions options;
  private final PendingCalls pending = new PendingCalls();
  private final Map<Shapes, Sketch> sketches;
  private final Map<Signature, PlannedCall> plans;
  /** The latest planned call. The next one is mostly like it, and then needs no lookup. */
  private volatile @Nullable Recent recent;
  /** How often plans were dropped. */
  private long drops;
  private @Nullable String unplannedReason;
  private boolean closed;

  /** The key of a sketch. */
  private record Shapes(ArrayRuntime arrays, List<TensorType> types, boolean training, String device) {}

  /**
   * The key of a plan.
   *
   * @param device where all inputs lie
   * @param wanted the inputs whose gradients are wanted
   */
  private record Signature(Shapes shapes, String device, BitSet wanted) {}

  /** @param drops how often plans had been dropped when it was found */
  private record Sketched(Sketch sketch, long drops) {}

  /** A call's sketch and plan, and what decided them. */
  private record Recent(Shapes shapes, Sketched sketched, Signature signature, PlannedCall plan) {
    /** Whether a call with these operands has the same sketch. */
    @SuppressWarnings("ReferenceEquality")
    boolean isFor(ArrayRuntime arrays, List<NDArray> operands, String device) {
      if (shapes.arrays != arrays || shapes.training != Autograd.isTraining() || shapes.types.size() != operands.size()
        || !shapes.device.equals(device)) {
        return false;
      }
      for (int i = 0; i < operands.size(); i++) {
        if (!shapes.types.get(i).equals(operands.get(i).type())) {
          return false;
        }
      }
      return true;
    }

    /** Whether such a call has the same plan, too. */
    boolean isOf(String device, BitSet wanted) {
      return signature.device.equals(device) && signature.wanted.equals(wanted);
    }
  }

  private CachedOp(UnaryOperator<List<NDArray>> function, CachedOpOptions options) {
    this.function = function;
    this.options = options;
    this.sketches = new LinkedHashMap<>(16, 0.75f, true);
    this.plans = new LinkedHashMap<>(16, 0.75f, true);
  }

  /** Makes one of a function from operands to results, which {@link Sketch} calls once for each plan. */
  public static CachedOp of(UnaryOperator<List<NDArray>> function, CachedOpOptions options) {
    return new CachedOp(function, options);
  }

  /** Makes one of a symbol. Operands are its arguments, then its states; a {@link BoundSymbol} also writes states. */
  public static CachedOp of(Symbol symbol, CachedOpOptions options) {
    return new CachedOp(SymbolFunction.of(symbol), options);
  }

  /** As {@link #call(List)}. */
  public List<NDArray> call(NDArray... operands) {
    return call(Arrays.asList(operands));
  }

  /**
   * Calls the function. Returns when its one operation is pushed.
   *
   * @param operands at least one, all of one runtime
   * @return new arrays
   * @throws IllegalStateException when it is closed, or the function cannot be sketched
   */
  public List<NDArray> call(List<NDArray> operands) {
    if (operands.isEmpty()) {
      throw new IllegalArgumentException("a cached function has at least one operand");
    }
    if (FollowedCalls.follower() instanceof SketchedCalls) {
      return function.apply(operands);
    }
    ArrayRuntime arrays = operands.get(0).runtime();
    String home = FollowedCalls.deviceOf(arrays, NAME, operands);
    Recent last = recent;
    if (last != null && last.isFor(arrays, operands, home) && last.plan.begin()) {
      try {
        return planned(last.shapes, last.sketched, operands, last);
      } finally {
        last.plan.end();
      }
    }
    var shapes = new Shapes(arrays, operands.stream().map(NDArray::type).toList(), Autograd.isTraining(), home);
    Sketched sketched = sketched(shapes).orElse(null);
    return sketched == null || isSmall(sketched.sketch)
      ? function.apply(operands)
      : planned(shapes, sketched, operands, null);
  }

  /** @param last the latest call, if it had the same sketch; {@link PlannedCall#begin} was called on its plan */
  private List<NDArray> planned(Shapes shapes, Sketched sketched, List<NDArray> operands, @Nullable Recent last) {
    CallInputs inputs = CallInputs.of(shapes.arrays, sketched.sketch, operands);
    BitSet wanted = inputs.wanted();
    String device = FollowedCalls.deviceOf(inputs.arrays(), NAME, inputs.all());
    if (last != null && last.isOf(device, wanted)) {
      return last.plan.call(inputs);
    }
    PlannedCall plan = begun(new Signature(shapes, device, wanted), sketched, inputs);
    try {
      return plan.call(inputs);
    } finally {
      plan.end();
    }
  }

  private boolean isSmall(Sketch sketch) {
    return sketch.graph().nodes().stream().filter(it -> it.kind() instanceof NodeKind.Apply).limit(
      options.inlineLimit() + 1L).count() <= options.inlineLimit();
  }

  /** Empty if types depend on elements, so that there is no plan. */
  private synchronized Optional<Sketched> sketched(Shapes shapes) {
    requireOpen();
    Sketch known = sketches.get(shapes);
    if (known != null) {
      return Optional.of(new Sketched(known, drops));
    }
    try (var _ = shapes.arrays.on(shapes.device)) {
      Sketch made = Sketch.of(shapes.arrays, shapes.types, function);
      drop(sketches, options.maxPlans() - 1);
      sketches.put(shapes, made);
      return Optional.of(new Sketched(made, drops));
    } catch (ValueDependentShape e) {
      if (unplannedReason == null) {
        unplannedReason = e.getMessage();
        LOG.info("a function runs operator by operator, since it cannot be planned: reason={}", e.getMessage());
      }
      return Optional.empty();
    }
  }

  /** The plan of a call; the caller ends its use. If plans were dropped since the sketch, it serves this call alone. */
  private synchronized PlannedCall begun(Signature signature, Sketched sketched, CallInputs inputs) {
    requireOpen();
    if (sketched.drops != drops) {
      return PlannedCall.of(inputs, signature.device, signature.wanted, pending);
    }
    PlannedCall plan = plans.get(signature);
    if (plan == null) {
      drop(plans, options.maxPlans() - 1).forEach(PlannedCall::close);
      plan = PlannedCall.of(inputs, signature.device, signature.wanted, pending);
      plans.put(signature, plan);
    }
    if (!plan.begin()) {
      throw new AssertionError("a plan that is kept is closed: signature=" + signature);
    }
    recent = new Recent(signature.shapes, sketched, signature, plan);
    return plan;
  }

  /** Removes the least recently used. */
  private static <V> List<V> drop(Map<?, V> map, int most) {
    List<V> dropped = new ArrayList<>();
    var oldest = map.values().iterator();
    for (int surplus = map.size() - most; surplus > 0; surplus--) {
      dropped.add(oldest.next());
      oldest.remove();
    }
    return dropped;
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("a cached function is closed");
    }
  }

  /**
   * Forgets all plans: the next calls sketch the function again. Calls that are under way on other threads may still
   * run the function as it was. Gradients that are pending stay possible.
   */
  public synchronized void dropPlans() {
    drops++;
    recent = null;
    sketches.clear();
    plans.values().forEach(PlannedCall::close);
    plans.clear();
  }

  /** Why calls run operator by operator; empty while all could be planned. */
  public synchronized Optional<String> unplannedReason() {
    return Optional.ofNullable(unplannedReason);
  }

  /** What it holds now. */
  public synchronized CachedOpStats stats() {
    return new CachedOpStats(plans.size(), pending.calls(), pending.bytes());
  }

  /** Gives the plans and their memory back, after the calls so far. */
  @Override
  public synchronized void close() {
    dropPlans();
    closed = true;
  }
}
