package dev.cairn.runtime.graph;

import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * One use of an operator whose types are known, to be computed once its memory is there. Two computations are equal
 * only when they make equal outputs from equal inputs. Immutable.
 */
public interface Computation {
  /** Scratch bytes that {@link #run} needs. */
  long workspaceBytes();

  /** The input that an output may be written over, byte for byte as long as it; empty when there is none. */
  OptionalInt inPlace(int output);

  /**
   * Computes all outputs and returns when they are there.
   *
   * @param inputs in native memory; null for an optional input that is left out
   * @param workspace of at least {@link #workspaceBytes}, 64-byte aligned
   */
  void run(@Nullable TensorView[] inputs, TensorView[] outputs, MemorySegment workspace);
}
