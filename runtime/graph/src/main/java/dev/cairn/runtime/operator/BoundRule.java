package dev.cairn.runtime.operator;

import dev.cairn.kernels.tensor.TensorType;
import java.util.List;
import java.util.Optional;

/** Says how large results can become whose shapes depend on values: {@code NonZero} finds at most all elements. */
@FunctionalInterface
public interface BoundRule {
  /** There is no bound before values are known. */
  BoundRule NONE = context -> Optional.empty();

  /** A rule for results that grow with the numbers in the operands, such as the repeats of {@code Tile}. */
  static BoundRule ofLargest(TypeRule rule) {
    return context -> Optional.of(rule.infer(context.atMost()));
  }

  /**
   * The largest type of each result, for operands of these types.
   *
   * @param context values that are known may make the bound smaller
   * @throws dev.cairn.runtime.graph.InvalidGraph as {@link TypeRule#infer}: then there is no bound
   */
  Optional<List<TensorType>> types(TypeContext context);
}
