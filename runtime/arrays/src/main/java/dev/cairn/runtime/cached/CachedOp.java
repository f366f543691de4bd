package dev.cairn.runtime.cached;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.autograd.Autograd;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.ndarray.ArrayRuntime;
import dev.cairn.runtime.ndarray.FollowedCalls;
import dev.cairn.runtime.ndarray.NDArray;
import dev.cairn.runtime.operator.ValueDependentShape;
import dev.cairn.runtime.symbol.Symbol;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
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
  private final RetiredPlans retired = new RetiredPlans();
  private final MadeOnce<Shapes, Sketched> sketches;
  private final MadeOnce<Signature, PlannedCall> plans;
  /** The latest planned call. The next one is mostly like it, and then needs no lookup. */
  private volatile @Nullable Recent recent;
  /** How often plans were dropped. */
  private final AtomicLong drops = new AtomicLong();
  private final AtomicReference<@Nullable String> unplannedReason = new AtomicReference<>();

  /**
   * The key of a sketch.
   *
   * @param drops how often plans had been dropped: a sketch that is older serves no call any more
   */
  private record Shapes(ArrayRuntime arrays, List<TensorType> types, boolean training, String device, long drops) {}

  /**
   * The key of a plan.
   *
   * @param device where all inputs lie
   * @param wanted the inputs whose gradients are wanted
   */
  private record Signature(Shapes shapes, String device, BitSet wanted) {}

  /**
   * What sketching a function gave.
   *
   * @param sketch null if types depend on elements, so that there is no plan
   */
  private record Sketched(@Nullable Sketch sketch) {}

  /** A call's sketch and plan, and what decided them. */
  private record Recent(Shapes shapes, Sketch sketch, Signature signature, PlannedCall plan) {
    /** Whether a call with these operands has the same sketch. */
    @SuppressWarnings("ReferenceEquality")
    boolean isFor(ArrayRuntime arrays, List<NDArray> operands, String device, long drops) {
      if (shapes.drops != drops || shapes.arrays != arrays || shapes.training != Autograd.isTraining()
        || shapes.types.size() != operands.size()
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
    this.sketches = new MadeOnce<>(options.maxPlans(), _ -> {});
    this.plans = new MadeOnce<>(options.maxPlans(), PlannedCall::end);
  }

  /** Makes one of a function from operands to results, which {@link Sketch} calls once for each plan. */
  public static CachedOp of(UnaryOperator<List<NDArray>> function, CachedOpOptions options) {
    return new CachedOp(function, options);
  }

  /** Makes one of a symbol. Operands are its arguments, then its states; a {@link BoundSymbol} also writes states. */
  public static CachedOp of(Symbol symbol, CachedOpOptions options) {
    return new CachedOp(SymbolFunction.of(symbol), options);
  }

  /** Like {@link #call(List)}. */
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
    long now = drops.get();
    Recent last = recent;
    if (last != null && last.isFor(arrays, operands, home, now) && last.plan.begin()) {
      try {
        return planned(last.shapes, last.sketch, operands, last);
      } finally {
        last.plan.end();
      }
    }
    var shapes = new Shapes(arrays, operands.stream().map(NDArray::type).toList(), Autograd.isTraining(), home, now);
    Sketch sketch = sketches.get(shapes, () -> sketched(shapes)).sketch;
    return sketch == null || isSmall(sketch) ? function.apply(operands) : planned(shapes, sketch, operands, null);
  }

  /** @param last the latest call, if it had the same sketch; {@link PlannedCall#begin} was called on its plan */
  private List<NDArray> planned(Shapes shapes, Sketch sketch, List<NDArray> operands, @Nullable Recent last) {
    CallInputs inputs = CallInputs.of(shapes.arrays, sketch, operands);
    BitSet wanted = inputs.wanted();
    String device = FollowedCalls.deviceOf(inputs.arrays(), NAME, inputs.all());
    if (last != null && last.isOf(device, wanted)) {
      return last.plan.call(inputs);
    }
    var signature = new Signature(shapes, device, wanted);
    PlannedCall kept = shapes.drops == drops.get() ? plans.get(signature, () -> plan(signature, inputs)) : null;
    boolean isKept = kept != null && kept.begin();
    // If plans were dropped since the sketch was made, a plan of its own serves this call alone.
    PlannedCall plan = kept != null && isKept ? kept : plan(signature, inputs);
    try {
      if (isKept) {
        recent = new Recent(shapes, sketch, signature, plan);
      }
      return plan.call(inputs);
    } finally {
      plan.end();
    }
  }

  private PlannedCall plan(Signature signature, CallInputs inputs) {
    retired.close();
    return PlannedCall.of(inputs, signature.device, signature.wanted, pending, retired);
  }

  private boolean isSmall(Sketch sketch) {
    return sketch.graph().nodes().stream().filter(it -> it.kind() instanceof NodeKind.Apply).limit(
      options.inlineLimit() + 1L).count() <= options.inlineLimit();
  }

  private Sketched sketched(Shapes shapes) {
    try (var _ = shapes.arrays.on(shapes.device)) {
      return new Sketched(Sketch.of(shapes.arrays, shapes.types, function));
    } catch (ValueDependentShape e) {
      if (unplannedReason.compareAndSet(null, String.valueOf(e.getMessage()))) {
        LOG.info("a function runs operator by operator, since it cannot be planned: reason={}", e.getMessage());
      }
      return new Sketched(null);
    }
  }

  /**
   * Forgets all plans: the next calls sketch the function again. Calls that are under way on other threads may still
   * run the function as it was. Gradients that are pending stay possible. Inside an operation, the memory of plans goes
   * back at a later call from outside.
   */
  public void dropPlans() {
    drops.incrementAndGet();
    recent = null;
    sketches.clear();
    plans.clear();
    retired.close();
  }

  /** Why calls run operator by operator; empty while all could be planned. */
  public Optional<String> unplannedReason() {
    return Optional.ofNullable(unplannedReason.get());
  }

  /** What it holds now. */
  public CachedOpStats stats() {
    return new CachedOpStats(plans.size(), pending.calls(), pending.bytes());
  }

  /** Gives the plans and their memory back, after the calls so far. */
  @Override
  public void close() {
    sketches.close();
    plans.close();
    dropPlans();
  }
}
