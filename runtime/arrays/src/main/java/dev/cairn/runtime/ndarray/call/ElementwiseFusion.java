package dev.cairn.runtime.ndarray.call;

import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.engine.queue.BulkFusion;
import dev.cairn.runtime.engine.queue.FusibleRun;
import dev.cairn.runtime.engine.queue.Operation;
import dev.cairn.runtime.engine.queue.StreamBody;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.invoke.Dispatch;
import dev.cairn.runtime.invoke.OperatorUse;
import dev.cairn.runtime.ndarray.memory.ArrayDevice;
import dev.cairn.runtime.operator.UnsupportedOperators;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Fuses calls of elementwise operators in a bulk (I-5): calls that read each other's results become one kernel, the one
 * that the compiler makes of such nodes. What it has found out is remembered by structure, so that a loop compiles
 * once. Thread-safe.
 */
final class ElementwiseFusion implements BulkFusion {
  /** On the processor, calls with smaller results take less time one by one than a fused kernel takes to begin. */
  static final long LEAST_BYTES = 16 << 10;
  /** Powers of two. */
  private static final int SINGLES = 512;
  private static final int KERNELS = 256;

  private final Set<String> ownOperators;
  private final AtomicLong fusedCalls = new AtomicLong();
  /** Answers by their hash, the last one of those in one place; any thread may see an older one. */
  private final @Nullable Single[] singles = new Single[SINGLES];
  private final @Nullable FusedKernel[] kernels = new FusedKernel[KERNELS];

  /** Whether one call may be fused. */
  private record Single(Dispatch.Compute call, boolean isFusible) {}

  /** @param use empty where the device has no fused kernel */
  private record FusedKernel(ArrayDevice device, FusedStructure structure, Optional<OperatorUse> use) {}

  /** @param ownOperators of the program; they may do anything, so they are not fused */
  ElementwiseFusion(Set<String> ownOperators) {
    this.ownOperators = ownOperators;
  }

  /** How many calls ran as parts of fused kernels, or were given to one. */
  long fusedCalls() {
    return fusedCalls.get();
  }

  void count(int calls) {
    fusedCalls.addAndGet(calls);
  }

  /** The call that an operation makes; null if it is something else. */
  static @Nullable Invocation call(Operation operation) {
    return switch (operation.work()) {
      case Invocation call -> call;
      case StreamBody(Invocation call) -> call;
      default -> null;
    };
  }

  @Override
  public boolean isFusible(Operation operation) {
    Invocation call = call(operation);
    return call != null && isFusible(call);
  }

  @Override
  public FusibleRun begin(Operation first) {
    return new ElementwiseRun(this, first);
  }

  @SuppressWarnings("ReferenceEquality")
  boolean isFusible(Invocation call) {
    Dispatch.Compute dispatch = call.dispatch();
    int at = System.identityHashCode(dispatch) & (SINGLES - 1);
    Single known = singles[at];
    if (known == null || known.call != dispatch) {
      known = new Single(dispatch, isFusible(call.device(), dispatch));
      singles[at] = known;
    }
    return known.isFusible;
  }

  private boolean isFusible(ArrayDevice device, Dispatch.Compute call) {
    if (!call.memory().elementwise() || call.results().size() != 1 || ownOperators.contains(call.row().operator())) {
      return false;
    }
    TensorType result = call.results().get(0);
    if (result.dtype().isNarrow() || result.bytes() < (device.isHost() ? LEAST_BYTES : 1)) {
      return false;
    }
    boolean isSpread = call.signature().inputs().stream().flatMap(Optional::stream).allMatch(it -> !it.dtype()
      .isNarrow() && stretches(it.shape(), result.shape()));
    return isSpread && use(device, alone(call)).isPresent();
  }

  private static boolean stretches(Shape from, Shape to) {
    return from.rank() <= to.rank() && from.broadcastWith(to).equals(to);
  }

  private static FusedStructure alone(Dispatch.Compute call) {
    int[] operands = new int[call.signature().inputs().size()];
    int inputs = 0;
    for (int i = 0; i < operands.length; i++) {
      operands[i] = call.signature().inputs().get(i).isPresent() ? inputs++ : FusedStructure.ABSENT;
    }
    return new FusedStructure(new Dispatch.Compute[] {call}, operands, new int[] {0}, new int[0]);
  }

  private static Optional<OperatorUse> use(ArrayDevice device, FusedStructure structure) {
    OperatorUse use = structure.use();
    try {
      return device.table().resolve(use.operator(), use) instanceof Dispatch.Compute
        ? Optional.of(use)
        : Optional.empty();
    } catch (UnsupportedOperators | InvalidGraph e) {
      return Optional.empty();
    }
  }

  /** How a fused kernel runs; null where the device has none for it. */
  Dispatch.@Nullable Compute find(ArrayDevice device, FusedStructure structure) {
    int at = structure.hashCode() & (KERNELS - 1);
    FusedKernel known = kernels[at];
    if (known == null || !known.device.equals(device) || !known.structure.equals(structure)) {
      known = new FusedKernel(device, structure, use(device, structure));
      kernels[at] = known;
    }
    // The table keeps the kernel prepared while it is used.
    return known.use.map(it -> (Dispatch.Compute) device.table().find(it)).orElse(null);
  }
}
