package dev.cairn.runtime.ndarray;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.engine.Footprint;
import dev.cairn.runtime.engine.Operation;
import dev.cairn.runtime.engine.OperationFailed;
import dev.cairn.runtime.engine.Variable;
import java.util.List;

/**
 * Something besides arrays that functions use, such as a model with variables: functions that change it run one after
 * the other, in the order of their calls. Thread-safe.
 */
public final class ArrayOrder implements AutoCloseable {
  private final ArrayRuntime runtime;
  private final String name;
  private final Variable variable;

  ArrayOrder(ArrayRuntime runtime, String name) {
    this.runtime = runtime;
    this.name = name;
    this.variable = runtime.engine().newVariable(name);
  }

  /**
   * As {@link ArrayRuntime#call}, after earlier calls of this order that change what they use. The function uses arrays
   * where they lie: of a GPU's, it gets addresses that the host must not read.
   *
   * @param device where the results lie
   */
  public List<NDArray> using(String device, String operation, List<NDArray> operands, List<TensorType> results,
    ArrayFunction function) {
    return runtime.functions().inPlace(device, new FunctionCalls.Call(operation, operands, results,
      new ArrayPushes.Besides(List.of(variable), List.of()), function));
  }

  /** As {@link #using}, but after all earlier calls of this order. A failure does not stop later ones. */
  public List<NDArray> changing(String device, String operation, List<NDArray> operands, List<TensorType> results,
    ArrayFunction function) {
    return runtime.functions().inPlace(device, new FunctionCalls.Call(operation, operands, results,
      new ArrayPushes.Besides(List.of(), List.of(variable)), function));
  }

  /** Whether the runtime is closed, so that no call can follow. */
  public boolean isOver() {
    return runtime.isClosed();
  }

  /** @throws IllegalStateException inside an operation or access, where {@link #close} must not wait */
  public void requireOutside() {
    runtime.access().requireOutside("close of " + name);
  }

  /** Waits for all calls of this order so far, unless the runtime is closed. */
  @Override
  public void close() {
    if (runtime.isClosed()) {
      return;
    }
    requireOutside();
    runtime.engine().push(Operation.of(name, Footprint.writing(variable), () -> {}).overwriting());
    try {
      runtime.engine().waitForVariable(variable);
    } catch (OperationFailed e) {
      throw new AssertionError("an operation that does nothing failed", e);
    }
    runtime.engine().deleteVariable(variable, () -> {});
  }
}
