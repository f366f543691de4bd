package dev.cairn.runtime.ndarray;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.engine.queue.Operation;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Functions of the program over the bytes of arrays, each call as one operation. Thread-safe. */
final class FunctionCalls {
  private final ArrayRuntime runtime;

  /** What is called. */
  record Call(String name, List<NDArray> operands, List<TensorType> types, ArrayPushes.Besides besides,
    ArrayFunction function) {}

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
      made.addAll(pushed(runtime.devices().host(), new Call(call.name, moved, call.types, call.besides,
        call.function)));
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
    try {
      ArrayRange[] read = call.operands.stream().map(NDArray::range).toArray(ArrayRange[]::new);
      return runtime.invoker().made(device, call.name, call.types, written -> {
        Runnable work = () -> call.function.run(Arrays.stream(read).map(ArrayRange::view).toList(), Arrays.stream(
          written).map(ArrayRange::taken).toList());
        Pushable placed = (name, footprint) -> Operation.of(name, footprint, work).on(device.place());
        runtime.pushes().push(call.name, read, written, call.besides, device.isHost() ? work : placed, true);
      });
    } finally {
      Reference.reachabilityFence(call);
    }
  }
}
