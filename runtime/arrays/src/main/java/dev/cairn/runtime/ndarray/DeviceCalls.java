package dev.cairn.runtime.ndarray;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.invoke.Dispatch;
import dev.cairn.runtime.operator.UnsupportedOperators;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls of operators on a GPU's arrays. The GPU's kernel runs if there is one. If not, operands are copied to the
 * processor, which runs the operator, and results are copied back; the log says so once for each operator. Thread-safe.
 */
final class DeviceCalls {
  private static final Logger LOG = LoggerFactory.getLogger(DeviceCalls.class);

  private final ArrayRuntime runtime;
  private final Invoker invoker;
  private final ArrayDevices devices;
  private final Set<String> told = ConcurrentHashMap.newKeySet();
  private final AtomicLong callsOnHost = new AtomicLong();

  /** One call. */
  static final class Call {
    private final ArrayDevice device;
    private final String operator;
    private final Attributes attributes;
    private final int results;
    private final @Nullable NDArray[] operands;

    Call(ArrayDevice device, String operator, Attributes attributes, int results, @Nullable NDArray[] operands) {
      this.device = device;
      this.operator = operator;
      this.attributes = attributes;
      this.results = results;
      this.operands = operands;
    }
  }

  DeviceCalls(ArrayRuntime runtime, Invoker invoker, ArrayDevices devices) {
    this.runtime = runtime;
    this.invoker = invoker;
    this.devices = devices;
  }

  /** How many calls ran on the processor. */
  long onHost() {
    return callsOnHost.get();
  }

  List<NDArray> run(Call call) {
    Dispatch dispatch = onDevice(call);
    if (dispatch == null) {
      return runOnHost(call);
    }
    return switch (dispatch) {
      case Dispatch.Alias(TensorType result) -> List.of(Objects.requireNonNull(call.operands[0]).viewedAs(result, 0));
      case Dispatch.Fixed(TensorView value) -> List.of(runtime.copyOf(value, call.device));
      case Dispatch.Compute compute -> invoker.made(call.device, call.operator, compute.results(), written -> push(call,
        compute, written, false));
    };
  }

  /** Writes the only result into an array of the device. */
  void runInto(Call call, NDArray target, boolean ignoresOldValue) {
    Dispatch dispatch = onDevice(call);
    if (dispatch == null) {
      List<NDArray> made = madeOnHost(call);
      try {
        Invoker.requireResult(target, call.operator, made.get(0).type(), call.operands);
        DeviceCopies.push(made.get(0).range(), target.range());
      } finally {
        made.forEach(NDArray::close);
      }
      return;
    }
    Dispatch.Compute compute = Invoker.requireInto(target, call.operator, dispatch, call.operands);
    List<NDArray> copies = new ArrayList<>();
    try {
      @Nullable
      NDArray[] operands = call.operands.clone();
      for (int i = 0; i < operands.length; i++) {
        NDArray operand = operands[i];
        if (operand != null && operand.range().mustBeCopied(target.range(), compute.memory(), i)) {
          NDArray copy = operand.copy();
          copies.add(copy);
          operands[i] = copy;
        }
      }
      push(new Call(call.device, call.operator, call.attributes, call.results, operands), compute, new ArrayRange[] {
        target.range()}, ignoresOldValue);
    } finally {
      copies.forEach(NDArray::close);
    }
  }

  /** How the device runs it; null if it has no kernel. */
  private @Nullable Dispatch onDevice(Call call) {
    try {
      return invoker.found(call.device.table(), call.operator, call.attributes, call.results, call.operands);
    } catch (UnsupportedOperators lack) {
      return null;
    } catch (InvalidGraph e) {
      throw Refusals.types(e, call.operands);
    }
  }

  private List<NDArray> runOnHost(Call call) {
    List<NDArray> made = madeOnHost(call);
    List<NDArray> results = new ArrayList<>();
    boolean done = false;
    try {
      made.forEach(it -> results.add(DeviceCopies.copied(it, call.device)));
      done = true;
      return results;
    } finally {
      made.forEach(NDArray::close);
      if (!done) {
        results.forEach(NDArray::closeIfOpen);
      }
    }
  }

  /** The results, on the processor. */
  private List<NDArray> madeOnHost(Call call) {
    @Nullable
    NDArray[] moved = call.operands.clone();
    List<NDArray> copies = new ArrayList<>();
    try {
      for (int i = 0; i < moved.length; i++) {
        NDArray operand = moved[i];
        if (operand != null && !operand.range().storage().isConstant) {
          NDArray copy = DeviceCopies.copied(operand, devices.host());
          copies.add(copy);
          moved[i] = copy;
        }
      }
      List<NDArray> made = invoker.runOnHost(call.operator, call.attributes, call.results, moved);
      tell(call);
      return made;
    } finally {
      copies.forEach(NDArray::close);
    }
  }

  private void tell(Call call) {
    callsOnHost.incrementAndGet();
    if (told.add(call.operator)) {
      LOG.info("the processor runs an operator on arrays of a GPU, which has no kernel for it; they are copied there "
        + "and back: operator={} device={}", call.operator, call.device.name());
    }
  }

  private void push(Call call, Dispatch.Compute compute, ArrayRange[] results, boolean ignoresOldValue) {
    List<NDArray> temporary = new ArrayList<>();
    try {
      @Nullable
      ArrayRange[] read = new ArrayRange[call.operands.length];
      Kernel kernel = compute.row().kernel();
      for (int i = 0; i < read.length; i++) {
        NDArray operand = call.operands[i];
        read[i] = operand == null ? null : read(call.device, kernel.readsOnHost(i), operand, temporary);
      }
      ArrayRange scratch = scratch(call.device, compute.scratchBytes(), temporary);
      ArrayRange[] written = results;
      if (scratch != null) {
        written = new ArrayRange[results.length + 1];
        System.arraycopy(results, 0, written, 0, results.length);
        written[results.length] = scratch;
      }
      runtime.pushes().push(call.operator, read, written, new DeviceInvocation(call.device, compute, read,
        results, scratch), ignoresOldValue);
    } finally {
      temporary.forEach(NDArray::close);
    }
  }

  /** What the kernel reads on the host is waited for, unless it is constant (I-2). */
  private static ArrayRange read(ArrayDevice device, boolean onHost, NDArray operand, List<NDArray> temporary) {
    boolean isConstant = operand.range().storage().isConstant;
    if (onHost) {
      return isConstant ? operand.range() : operand.runtime().constant(operand.toHost()).range();
    }
    if (!isConstant) {
      return operand.range();
    }
    NDArray copy = operand.runtime().constants(device).copyOf(operand);
    temporary.add(copy);
    return copy.range();
  }

  /** It is an array, so that its memory goes back behind the stream. */
  private @Nullable ArrayRange scratch(ArrayDevice device, long bytes, List<NDArray> temporary) {
    if (bytes == 0) {
      return null;
    }
    NDArray scratch = runtime.newArray(device, "workspace", TensorType.of(DType.UINT8, bytes));
    temporary.add(scratch);
    return scratch.range();
  }
}
