package dev.cairn.runtime.ndarray.call;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.engine.queue.Operation;
import dev.cairn.runtime.engine.queue.Variable;
import dev.cairn.runtime.ndarray.memory.ArrayDevice;
import dev.cairn.runtime.ndarray.storage.ArrayRange;
import dev.cairn.runtime.ndarray.storage.Hold;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Functions of the program over the bytes of arrays, each call as one operation. Thread-safe. */
public final class FunctionCalls {
  private final Invoker invoker;

  /**
   * What is called.
   *
   * @param function is given the operands' bytes, and memory for the results
   * @param order of something besides arrays that the function uses; null if there is none
   * @param changes whether the function changes that
   */
  public record Call(String name, List<Hold> operands, List<TensorType> types,
    BiConsumer<List<TensorView>, List<TensorView>> function, @Nullable CallOrder order, boolean changes) {
    public Call {
      if (types.isEmpty()) {
        throw new IllegalArgumentException("a function without results: name=" + name);
      }
    }

    /** A function that uses arrays alone. */
    public Call(String name, List<Hold> operands, List<TensorType> types,
      BiConsumer<List<TensorView>, List<TensorView>> function) {
      this(name, operands, types, function, null, false);
    }
  }

  public FunctionCalls(Invoker invoker) {
    this.invoker = invoker;
  }

  /** The function reads and writes memory of the host; arrays of a GPU are copied there and back. */
  public Hold[] onHost(Call call) {
    requireCallable(call);
    ArrayRange[] operands = call.operands.toArray(ArrayRange[]::new);
    ArrayDevice device = invoker.deviceOf(call.name, operands);
    if (device.isHost()) {
      return inPlace(device, call);
    }
    ArrayDevice host = invoker.devices().host();
    Hold[] moved = invoker.copies().copied(operands, host);
    try {
      Hold[] made = inPlace(host, new Call(call.name, List.of(moved), call.types, call.function));
      try {
        return invoker.copies().copied(made, device);
      } finally {
        Invoker.close(made);
      }
    } finally {
      Invoker.close(moved);
    }
  }

  private void requireCallable(Call call) {
    invoker.live().engine().require(call.name);
    call.operands.forEach(it -> it.requireOpenIn(invoker.live(), call.name));
  }

  /** The function uses arrays where they lie; results lie on the device. */
  public Hold[] inPlace(ArrayDevice device, Call call) {
    requireCallable(call);
    Hold[] made = invoker.newResults(device, call.name, call.types);
    try {
      var touched = ArrayFootprint.of(made, call.operands.toArray(ArrayRange[]::new));
      Variable order = call.order == null ? null : call.order.variable();
      Operation operation = Operation.of(call.name, touched.footprint(order, call.changes),
        () -> call.function.accept(call.operands.stream().map(ArrayRange::view).toList(), Arrays.stream(made).map(
          ArrayRange::taken).toList()))
        .on(device.place());
      // What a call uses besides arrays may be closed meanwhile, so a bulk must not hold it back.
      invoker.push(touched, order == null ? operation : operation.withPriority(1), true);
      return made;
    } catch (RuntimeException | Error e) {
      Invoker.close(made);
      if (call.order != null && e instanceof IllegalStateException refusal) {
        throw call.order.refused(refusal);
      }
      throw e;
    }
  }
}
