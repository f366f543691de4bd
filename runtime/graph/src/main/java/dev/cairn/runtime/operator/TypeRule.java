package dev.cairn.runtime.operator;

import dev.cairn.kernels.tensor.TensorType;
import java.util.List;

/** Says which types an operator's results have. */
@FunctionalInterface
public interface TypeRule {
  /**
   * @return one type for each result that the node has
   * @throws dev.cairn.runtime.graph.InvalidGraph when the inputs or attributes break the operator's rules; made by
   *   {@link TypeContext#fault}. An {@link IllegalArgumentException} from shape arithmetic is turned into one by the
   *   caller
   */
  List<TensorType> infer(TypeContext context);
}
