package dev.cairn.runtime.autograd;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.runtime.ndarray.ArrayRuntime;
import dev.cairn.runtime.ndarray.CallFollower;
import dev.cairn.runtime.ndarray.FollowedCalls;
import dev.cairn.runtime.ndarray.NDArray;
import dev.cairn.runtime.resource.RandomState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Records the calls of a thread over arrays that have gradients (T-2). */
final class TapeRecorder implements CallFollower {
  static final TapeRecorder INSTANCE = new TapeRecorder();

  private TapeRecorder() {}

  /** Whether this thread's calls make a graph instead of running. */
  @SuppressWarnings("ReferenceEquality")
  static boolean isSketching() {
    CallFollower follower = FollowedCalls.follower();
    return follower != null && follower != INSTANCE;
  }

  @Override
  public @Nullable List<NDArray> answer(ArrayRuntime runtime, String operator, Attributes attributes, int results,
    List<@Nullable NDArray> operands) {
    return null;
  }

  @Override
  public @Nullable NDArray draw(ArrayRuntime runtime, RandomState state) {
    return null;
  }

  @Override
  public void ran(String operator, Attributes attributes, List<@Nullable NDArray> operands, List<NDArray> results) {
    if (isTaped(operands) && isAnyFloat(results)) {
      OperatorNode.of(operator, attributes, operands, results).place(results);
    }
  }

  private static boolean isAnyFloat(List<NDArray> results) {
    for (NDArray result : results) {
      if (result.dtype().isFloat()) {
        return true;
      }
    }
    return false;
  }

  private static boolean isTaped(List<@Nullable NDArray> operands) {
    for (NDArray operand : operands) {
      if (operand != null && TapeLink.liveOf(operand) != null) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void writes(NDArray target, List<NDArray> operands) {
    copies(target, target);
    if (isTaped(List.copyOf(operands))) {
      throw new IllegalStateException("an array cannot be overwritten with what is recorded: array=%s; compute a new "
        .formatted(target.type()) + "array, or write while Autograd.pause() is open");
    }
  }

  @Override
  public boolean copies(NDArray target, NDArray source) {
    if (FollowedCalls.isOnTape(target)) {
      throw new IllegalStateException("an array on the tape cannot be overwritten while the thread records: array=%s; "
        .formatted(target.type()) + "compute a new array, or write while Autograd.pause() is open");
    }
    return false;
  }
}
