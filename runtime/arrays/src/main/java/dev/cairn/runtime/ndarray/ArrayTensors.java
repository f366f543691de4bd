package dev.cairn.runtime.ndarray;

import dev.cairn.runtime.backend.LocatedView;
import dev.cairn.runtime.value.Tensor;
import dev.cairn.runtime.value.TensorMemory;

/** Tensors and arrays over the same bytes. Nothing is copied, except from the memory of a GPU. */
public final class ArrayTensors {
  private ArrayTensors() {}

  /**
   * A read-only array over a tensor's bytes. The tensor cannot be closed until the array, its views and tensors over
   * these are closed, and their operations have ended.
   *
   * @throws IllegalStateException when the tensor is closed
   */
  public static NDArray array(ArrayRuntime arrays, Tensor tensor) {
    TensorMemory memory = TensorMemory.of(tensor);
    LocatedView bytes = memory.beginUseOnHost();
    try {
      return arrays.wrapReadOnly(bytes.view(), memory::endUse);
    } catch (RuntimeException | Error e) {
      memory.endUse();
      throw e;
    }
  }

  /**
   * A tensor over an array's bytes; waits for them. It may outlive the array and its runtime. The caller closes it, and
   * meanwhile writes nothing into the array in place.
   *
   * @throws dev.cairn.runtime.engine.failure.OperationFailed when the array was never computed
   */
  public static Tensor tensor(NDArray array) {
    return array.hold().tensor();
  }
}
