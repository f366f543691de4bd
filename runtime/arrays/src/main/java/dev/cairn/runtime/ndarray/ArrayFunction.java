package dev.cairn.runtime.ndarray;

import dev.cairn.kernels.tensor.TensorView;
import java.util.List;

/** A function over the bytes of arrays, which runs as one operation of the engine. */
@FunctionalInterface
public interface ArrayFunction {
  /**
   * Writes every element of the results. It must not keep the views, nor wait for arrays. What it throws makes the
   * results count as never computed.
   *
   * @param operands where the operands lie, to be read
   * @param results memory of the results, whose bytes are undefined
   */
  void run(List<TensorView> operands, List<TensorView> results);
}
