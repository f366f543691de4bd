package dev.cairn.runtime.autograd;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.ndarray.FollowedCalls;
import dev.cairn.runtime.ndarray.LeafGradient;
import dev.cairn.runtime.ndarray.NDArray;
import dev.cairn.runtime.ndarray.TapePlace;
import org.jspecify.annotations.Nullable;

/**
 * An operand of a tape's node.
 *
 * @param place a {@link LeafGradient} or a {@link TapeEntry}; null when no gradient flows to the operand
 * @param identity equal for operands over the same bytes
 * @param constant the value, if it never changes
 * @param device where the operand lies, and so its gradient
 */
record TapeLink(@Nullable TapePlace place, TensorType type, Object identity, @Nullable TensorView constant,
  String device) {
  static TapeLink of(NDArray array) {
    TapePlace place = liveOf(array);
    if (place instanceof TapeEntry(TapeNode node, int _)) {
      node.retain();
    }
    return new TapeLink(place, array.type(), FollowedCalls.identity(array), FollowedCalls.constantValue(array),
      array.device());
  }

  /** The array's place if operations over it are to be recorded. */
  static @Nullable TapePlace liveOf(NDArray array) {
    TapePlace place = FollowedCalls.placeOf(array);
    if (place instanceof BorrowedPlace(TapePlace lent)) {
      place = lent;
    }
    return place != null && place.isOnTape() ? place : null;
  }

  void release() {
    if (place instanceof TapeEntry(TapeNode node, int _)) {
      node.release();
    }
  }
}
