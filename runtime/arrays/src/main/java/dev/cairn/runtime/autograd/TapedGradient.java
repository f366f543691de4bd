package dev.cairn.runtime.autograd;

import dev.cairn.runtime.ndarray.NDArray;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The gradient of a function on arrays that {@link Autograd#recorded} puts on the tape. */
public interface TapedGradient {
  /**
   * New arrays: the gradients of the operands.
   *
   * @param saved the arrays that were given to be saved
   * @param heads the gradients of the results; zeros where none flows
   * @param wanted the operands whose gradients are wanted
   * @return one for each operand, of its type; null where it is not wanted, or zero
   */
  List<@Nullable NDArray> of(List<NDArray> saved, List<NDArray> heads, BitSet wanted);

  /** Whether it calls operators alone, so that it has gradients itself. */
  boolean isRecordable();

  /** Called once, when the tape does not need it any more. */
  default void givenUp() {}
}
