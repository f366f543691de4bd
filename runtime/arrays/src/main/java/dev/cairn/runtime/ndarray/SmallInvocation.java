package dev.cairn.runtime.ndarray;

import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.engine.queue.Footprint;
import dev.cairn.runtime.engine.queue.Variable;
import dev.cairn.runtime.invoke.Dispatch;
import org.jspecify.annotations.Nullable;

/**
 * As {@link Invocation}, but in one object: for one or two operands that are not constant, and one result.
 *
 * @param second null where there is one operand
 */
record SmallInvocation(Dispatch.Compute dispatch, ArrayRange result, ArrayRange first, @Nullable ArrayRange second)
  implements
    KernelWork {
  /** The variables of the result and of the operands that lie elsewhere. */
  Footprint footprint() {
    var variables = new Variable[1 + (isReadOnly(first) ? 1 : 0) + (isReadOnly(second) ? 1 : 0)];
    int count = 0;
    variables[count++] = result.storage().variable;
    if (isReadOnly(first)) {
      variables[count++] = first.storage().variable;
    }
    if (second != null && isReadOnly(second)) {
      variables[count++] = second.storage().variable;
    }
    return Footprint.of(variables, 1);
  }

  /** Whether an operand is there and lies elsewhere than the result. */
  private boolean isReadOnly(@Nullable ArrayRange operand) {
    return operand != null && !operand.sharesStorage(result);
  }

  @Override
  public long bytes() {
    return first.type().bytes() + (second == null ? 0 : second.type().bytes()) + result.type().bytes() + dispatch
      .scratchBytes();
  }

  @Override
  public void run() {
    ViewArrays views = ViewArrays.take();
    @Nullable
    TensorView[] read = views.read(second == null ? 1 : 2);
    TensorView[] written = views.written(1);
    try {
      read[0] = first.view();
      if (second != null) {
        read[1] = second.view();
      }
      written[0] = result.taken();
      Invocation.run(views, result.storage(), dispatch);
    } finally {
      views.giveBack();
    }
  }
}
