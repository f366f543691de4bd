package dev.cairn.runtime.ndarray;

import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.invoke.Dispatch;
import org.jspecify.annotations.Nullable;

/**
 * As {@link Invocation}, of one or two operands and one result, in one object.
 *
 * @param second null where there is one operand
 */
record SmallInvocation(Dispatch.Compute dispatch, ArrayRange result, ArrayRange first, @Nullable ArrayRange second)
  implements
    KernelWork {
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
      Invocation.run(read, written, result.storage(), dispatch);
    } finally {
      views.giveBack();
    }
  }
}
