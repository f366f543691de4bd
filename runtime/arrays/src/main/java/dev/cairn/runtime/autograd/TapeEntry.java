package dev.cairn.runtime.autograd;

import dev.cairn.runtime.ndarray.NDArray;
import dev.cairn.runtime.ndarray.TapePlace;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A result of a tape's node. */
record TapeEntry(TapeNode node, int index) implements TapePlace {
  @Override
  public boolean isOnTape() {
    return node.isThere();
  }

  /** The node is given up when neither an array nor a later node needs it. */
  @Override
  public void released() {
    node.release();
  }

  @Override
  public void backward(NDArray array, @Nullable NDArray head) {
    BackwardRun.backward(List.of(array), Collections.singletonList(head), BackwardOptions.DEFAULT);
  }
}
