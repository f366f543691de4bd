package dev.cairn.runtime.graph;

import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * One use of an operator with known types, ready to compute. Equal computations compute equal outputs from equal
 * inputs. Immutable.
 */
public interface Computation {
  /** Scratch bytes that {@link #run} needs. */
  long workspaceBytes();

  /** The input of equal size that this output may overwrite, if any. */
  OptionalInt inPlace(int output);

  /**
   * Computes all outputs.
   *
   * @param inputs in native memory; null for an omitted optional input
   * @param workspace at least {@link #workspaceBytes} bytes, 64-byte aligned
   */
  void run(@Nullable TensorView[] inputs, TensorView[] outputs, MemorySegment workspace);
}
