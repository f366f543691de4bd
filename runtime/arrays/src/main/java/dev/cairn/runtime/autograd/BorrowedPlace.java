package dev.cairn.runtime.autograd;

import dev.cairn.runtime.ndarray.NDArray;
import dev.cairn.runtime.ndarray.TapePlace;
import org.jspecify.annotations.Nullable;

/** The place of another array over the same bytes, which closing this one does not release. */
record BorrowedPlace(TapePlace lent) implements TapePlace {
  @Override
  public boolean isOnTape() {
    return lent.isOnTape();
  }

  @Override
  public void released() {}

  @Override
  public void backward(NDArray array, @Nullable NDArray head) {
    lent.backward(array, head);
  }
}
