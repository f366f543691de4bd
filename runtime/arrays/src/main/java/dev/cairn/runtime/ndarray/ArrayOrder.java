package dev.cairn.runtime.ndarray;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.ndarray.call.CallOrder;
import java.util.List;

/**
 * Something besides arrays that functions use, such as a model with variables: functions that change it run one after
 * the other, in the order of their calls. Thread-safe.
 */
public final class ArrayOrder implements AutoCloseable {
  private final ArrayRuntime runtime;
  private final CallOrder order;

  ArrayOrder(ArrayRuntime runtime, CallOrder order) {
    this.runtime = runtime;
    this.order = order;
  }

  /**
   * Like {@link ArrayRuntime#call}, but after the earlier calls of this order that change what they use. The function
   * uses arrays where they lie: for arrays of a GPU it gets addresses that the host must not read.
   *
   * @param device where the results lie
   */
  public List<NDArray> using(String device, String operation, List<NDArray> operands, List<TensorType> results,
    ArrayFunction function) {
    return runtime.callInOrder(device, order, false, operation, operands, results, function);
  }

  /** Like {@link #using}, but after all earlier calls of this order. A failure does not stop later ones. */
  public List<NDArray> changing(String device, String operation, List<NDArray> operands, List<TensorType> results,
    ArrayFunction function) {
    return runtime.callInOrder(device, order, true, operation, operands, results, function);
  }

  /** Waits for all calls of this order so far, and refuses later ones. */
  @Override
  public void close() {
    order.close();
  }
}
