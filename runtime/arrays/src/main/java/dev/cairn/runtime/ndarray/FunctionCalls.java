package dev.cairn.runtime.ndarray;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.engine.queue.Operation;
import dev.cairn.runtime.engine.queue.Variable;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Functions of the program over the bytes of arrays, each call as one operation. Thread-safe. */
final class FunctionCalls {
  private final ArrayRuntime runtime;

  /**
   * What is called.
   *
   * @param alsoRead variables of something besides arrays that the function reads
   * @param alsoWritten variables of something besides arrays that the function changes
   */
  record Call(String name, List<NDArray> operands, List<TensorType> types, List<Variable> alsoRead,
    List<Variable> alsoWritten, ArrayFunction function) {}

  FunctionCalls(ArrayRuntime runtime) {
    this.runtime = runtime;
  }

  /** The function reads and writes memory of the host; arrays of a GPU are copied there and back. */
  List<NDArray> onHost(Call call) {
    requireCallable(call);
    ArrayDevice device = runtime.devices().of(call.name, call.operands.toArray(NDArray[]::new));
    if (device.isHost()) {
      return pushed(device, call);
    }
    List<NDArray> moved = new ArrayList<>();
    List<NDArray> made = new ArrayList<>();
    try {
      call.operands.forEach(it -> moved.add(DeviceCopies.copied(it, runtime.devices().host())));
      made.addAll(pushed(runtime.devices().host(),
        new Call(call.name, moved, call.types, call.alsoRead, call.alsoWritten, call.function)));
      return made.stream().map(it -> DeviceCopies.copied(it, device)).toList();
    } finally {
      moved.forEach(NDArray::close);
      made.forEach(NDArray::close);
    }
  }

  /** The function uses arrays where they lie; results lie on the device. */
  List<NDArray> inPlace(String device, Call call) {
    requireCallable(call);
    return pushed(runtime.devices().named(device), call);
  }

  private void requireCallable(Call call) {
    runtime.open().require(call.name);
    call.operands.forEach(it -> runtime.requireMine(it, call.name));
    if (call.types.isEmpty()) {
      throw new IllegalArgumentException("a function without results: name=" + call.name);
    }
  }

  private List<NDArray> pushed(ArrayDevice device, Call call) {
    List<NDArray> made = runtime.invoker().newArrays(device, call.name, call.types);
    boolean isPushed = false;
    try {
      ArrayRange[] read = call.operands.stream().map(NDArray::range).toArray(ArrayRange[]::new);
      ArrayRange[] written = made.stream().map(NDArray::range).toArray(ArrayRange[]::new);
      var touched = ArrayFootprint.of(written, read);
      Operation operation = Operation.of(call.name, touched.footprint(call.alsoRead, call.alsoWritten),
        () -> call.function.run(Arrays.stream(read).map(ArrayRange::view).toList(), Arrays.stream(written).map(
          ArrayRange::taken).toList()))
        .on(device.place());
      // What a call uses besides arrays may be closed meanwhile, so a bulk must not hold it back.
      boolean mayBeHeld = call.alsoRead.isEmpty() && call.alsoWritten.isEmpty();
      runtime.invoker().push(touched, mayBeHeld ? operation : operation.withPriority(1), true);
      isPushed = true;
      return made;
    } finally {
      if (!isPushed) {
        made.forEach(NDArray::closeIfOpen);
      }
      Reference.reachabilityFence(call);
    }
  }
}
