package dev.cairn.runtime.operator;

import dev.cairn.kernels.tensor.TensorView;
import java.util.Optional;

/**
 * Says what an operator's first result is, where that follows from the types of what it reads, such as the extents of a
 * shape, or where the type rule had to compute it, such as the boxes that are selected.
 */
@FunctionalInterface
public interface ValueRule {
  /** The type rule says nothing of the value, as for nearly all operators. */
  ValueRule NONE = context -> Optional.empty();

  /** The value of the first result, when it is known. Asked only after the type rule has accepted the same context. */
  Optional<TensorView> value(TypeContext context);
}
