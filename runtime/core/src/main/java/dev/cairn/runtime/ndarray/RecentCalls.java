package dev.cairn.runtime.ndarray;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.invoke.Dispatch;
import dev.cairn.runtime.invoke.DispatchTable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Calls like ones before, of one or two operands on the processor with one result: most calls are. They make few
 * objects. Thread-safe.
 */
final class RecentCalls {
  private final ArrayRuntime runtime;
  private final ArrayDevice host;
  private final ArrayPushes pushes;
  private final DispatchTable table;

  private RecentCalls(ArrayRuntime runtime, ArrayDevice host, ArrayPushes pushes) {
    this.runtime = runtime;
    this.host = host;
    this.pushes = pushes;
    this.table = host.table();
  }

  /** Null where calls need a closer look: at their devices, or at the line that they come from. */
  static @Nullable RecentCalls of(ArrayRuntime runtime, ArrayDevices devices, ArrayPushes pushes,
    ArrayOptions options) {
    return devices.isSingle() && !options.engine().captureSites()
      ? new RecentCalls(runtime, devices.host(), pushes)
      : null;
  }

  /** The result; null if the call must be looked at more closely, and nothing has changed then. */
  @Nullable
  NDArray result(String operator, Attributes attributes, List<@Nullable NDArray> operands) {
    int count = operands.size();
    if (count != 1 && count != 2) {
      return null;
    }
    NDArray first = operands.get(0);
    NDArray second = count == 1 ? null : operands.get(1);
    if (first == null || hasValue(first, operator) || (count == 2 && (second == null || hasValue(second, operator)))) {
      return null;
    }
    TensorType secondType = second == null ? null : second.type();
    return table.recent(operator, attributes, 1, first.type(), secondType) instanceof Dispatch.Compute compute
      && compute.requests().size() == 1 ? pushed(operator, compute, first, second) : null;
  }

  private boolean hasValue(NDArray operand, String operator) {
    runtime.requireMine(operand, operator);
    return operand.constantValue() != null;
  }

  private NDArray pushed(String operator, Dispatch.Compute compute, NDArray first, @Nullable NDArray second) {
    NDArray made = runtime.newArray(host, compute.requests().get(0), compute.results().get(0));
    try {
      ArrayRange secondRange = second == null ? null : second.range();
      pushes.pushNew(operator, made.range(), first.range(), secondRange, new SmallInvocation(compute, made.range(),
        first.range(), secondRange));
      return made;
    } catch (RuntimeException | Error e) {
      // Where a push fails, its result is closed.
      made.closeIfOpen();
      throw e;
    }
  }
}
