package dev.cairn.runtime.ndarray;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.engine.queue.Variable;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * Something besides arrays that functions use, such as a model with variables: functions that change it run one after
 * the other, in the order of their calls. Thread-safe.
 */
public final class ArrayOrder implements AutoCloseable {
  private final ArrayRuntime runtime;
  private final String name;
  private final Variable variable;
  private volatile boolean closed;

  ArrayOrder(ArrayRuntime runtime, String name) {
    this.runtime = runtime;
    this.name = name;
    this.variable = runtime.engine().newVariable(name);
  }

  /**
   * Like {@link ArrayRuntime#call}, but after the earlier calls of this order that change what they use. The function
   * uses arrays where they lie: for arrays of a GPU it gets addresses that the host must not read.
   *
   * @param device where the results lie
   */
  public List<NDArray> using(String device, String operation, List<NDArray> operands, List<TensorType> results,
    ArrayFunction function) {
    return pushed(device, new FunctionCalls.Call(operation, operands, results, List.of(variable), List.of(),
      function));
  }

  /** Like {@link #using}, but after all earlier calls of this order. A failure does not stop later ones. */
  public List<NDArray> changing(String device, String operation, List<NDArray> operands, List<TensorType> results,
    ArrayFunction function) {
    return pushed(device, new FunctionCalls.Call(operation, operands, results, List.of(), List.of(variable),
      function));
  }

  private List<NDArray> pushed(String device, FunctionCalls.Call call) {
    try {
      return runtime.functions().inPlace(device, call);
    } catch (IllegalStateException e) {
      throw closed ? new IllegalStateException("already closed: " + name, e) : e;
    }
  }

  /** Whether the runtime is closed, so that all calls have ended and none can follow. */
  public boolean isOver() {
    return runtime.open().hasEnded();
  }

  /** @throws IllegalStateException inside an operation or access, where {@link #close} must not wait */
  public void requireOutside() {
    runtime.access().requireOutside("close of " + name);
  }

  /** Waits for all calls of this order so far, and refuses later ones. */
  @Override
  public void close() {
    if (isOver() || closed) {
      return;
    }
    requireOutside();
    closed = true;
    var ended = new CountDownLatch(1);
    runtime.engine().deleteVariable(variable, ended::countDown);
    boolean interrupted = false;
    while (ended.getCount() > 0) {
      try {
        ended.await();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
