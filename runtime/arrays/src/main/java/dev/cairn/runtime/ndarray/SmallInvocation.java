package dev.cairn.runtime.ndarray;

import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.engine.Footprint;
import dev.cairn.runtime.engine.Touched;
import dev.cairn.runtime.engine.Variable;
import dev.cairn.runtime.invoke.Dispatch;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * As {@link Invocation}, but in one object: for one or two operands that are not constant, and one result.
 *
 * @param second null where there is one operand
 */
record SmallInvocation(Dispatch.Compute dispatch, ArrayRange result, ArrayRange first, @Nullable ArrayRange second)
  implements
    KernelWork,
    Touched {
  @Override
  public int size() {
    return 1 + (isReadOnly(first) ? 1 : 0) + (isReadOnly(second) ? 1 : 0);
  }

  /** Whether an operand is there and lies elsewhere than the result. */
  private boolean isReadOnly(@Nullable ArrayRange operand) {
    return operand != null && !operand.sharesStorage(result);
  }

  @Override
  public Variable variable(int index) {
    ArrayRange range = switch (index) {
      case 0 -> result;
      case 1 -> isReadOnly(first) ? first : second;
      default -> second;
    };
    return Objects.requireNonNull(range).storage().variable;
  }

  @Override
  public boolean isWritten(int index) {
    return index == 0;
  }

  @Override
  public Footprint footprint() {
    var variables = new Variable[size()];
    Arrays.setAll(variables, this::variable);
    return Footprint.of(variables, 1);
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
