package dev.cairn.runtime.ndarray;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.runtime.resource.RandomState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Follows the calls of operators that one thread makes on arrays: a tape notes them for gradients, a sketch makes a
 * graph of them instead of running them. {@link FollowedCalls} sets it.
 */
public interface CallFollower {
  /** The results of a call that is not to run; null to let it run. Calls of composites come operator by operator. */
  @Nullable
  List<NDArray> answer(ArrayRuntime runtime, String operator, Attributes attributes, int results,
    List<@Nullable NDArray> operands);

  /** Seed and number of the draw that a random operator reads; null for the state's next one. */
  @Nullable
  NDArray draw(ArrayRuntime runtime, RandomState state);

  /** Is called after a call was pushed, or made a view. */
  void ran(String operator, Attributes attributes, List<@Nullable NDArray> operands, List<NDArray> results);

  /**
   * Is called before an array is overwritten, in whole or in part.
   *
   * @param operands what the new values are computed from
   * @throws IllegalStateException to refuse that
   */
  void writes(NDArray target, List<NDArray> operands);

  /**
   * Called before all of an array is overwritten with the elements of another, without a gradient.
   *
   * @return whether that is not to run
   * @throws IllegalStateException to refuse that
   */
  boolean copies(NDArray target, NDArray source);
}
