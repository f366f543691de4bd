package dev.cairn.runtime.ndarray;

import dev.cairn.kernels.tensor.TensorView;
import java.util.List;

/** An {@link ArrayFunction} that also uses temporary memory or random numbers. */
@FunctionalInterface
public interface ResourceFunction {
  /**
   * Writes every element of the results. It must not keep the views or the resources, nor wait for arrays. What it
   * throws makes the results count as never computed.
   *
   * @param operands where the operands lie, to be read
   * @param results memory of the results, whose bytes are undefined
   * @param resources temporary memory and random numbers of this call
   */
  void run(List<TensorView> operands, List<TensorView> results, ArrayResources resources);
}
