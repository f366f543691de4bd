package dev.cairn.runtime.operator;

import dev.cairn.kernels.tensor.TensorView;
import java.util.Optional;

/**
 * Says what an operator's first result is, where that follows from the types of what it reads: the extents of a
 * shape.
 */
@FunctionalInterface
public interface ValueRule {
  /** Types say nothing of the value, as for nearly all operators. */
  ValueRule NONE = context -> Optional.empty();

  /** The value of the first result, when the types fix it. Asked only after the type rule has accepted the node. */
  Optional<TensorView> value(TypeContext context);
}
