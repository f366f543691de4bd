package dev.cairn.runtime.compile;

import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Computation;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** The first input under another shape. */
enum AliasComputation implements Computation {
  /** The single instance: it has no state. */
  INSTANCE;

  @Override
  public long workspaceBytes() {
    return 0;
  }

  @Override
  public OptionalInt inPlace(int output) {
    return OptionalInt.of(0);
  }

  @Override
  public void run(@Nullable TensorView[] inputs, TensorView[] outputs, MemorySegment workspace) {
    MemorySegment from = Objects.requireNonNull(inputs[0], "the input has bytes").segment();
    if (from.address() != outputs[0].segment().address()) {
      outputs[0].segment().copyFrom(from);
    }
  }
}
