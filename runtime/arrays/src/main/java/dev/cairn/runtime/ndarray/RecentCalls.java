package dev.cairn.runtime.ndarray;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.invoke.Dispatch;
import dev.cairn.runtime.invoke.DispatchTable;
import java.lang.ref.Reference;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Repeats earlier calls on other arrays: the same operator, attributes and types, with one or two operands on the
 * processor and one result. Most calls are such calls; here they make few objects. Thread-safe.
 */
final class RecentCalls {
  private final ArrayRuntime runtime;
  private final ArrayDevice host;
  private final ArrayPushes pushes;
  private final DispatchTable table;
  /** Whether all calls take the long way, which finds their devices and the lines that they come from. */
  private final boolean needLook;

  RecentCalls(ArrayRuntime runtime, ArrayDevices devices, ArrayPushes pushes, ArrayOptions options) {
    this.runtime = runtime;
    this.host = devices.host();
    this.pushes = pushes;
    this.table = host.table();
    this.needLook = !devices.isSingle() || options.engine().captureSites();
  }

  /** As {@link #result(String, Attributes, NDArray, NDArray)}. */
  @Nullable
  NDArray result(String operator, Attributes attributes, List<@Nullable NDArray> operands) {
    int count = operands.size();
    NDArray first = count == 1 || count == 2 ? operands.get(0) : null;
    NDArray second = count == 2 ? operands.get(1) : null;
    return first == null || (count == 2 && second == null) ? null : result(operator, attributes, first, second);
  }

  /**
   * The result; null if the call must take the long way, and then nothing has changed.
   *
   * @param second null for a call of one operand
   */
  @Nullable
  NDArray result(String operator, Attributes attributes, NDArray first, @Nullable NDArray second) {
    if (needLook || hasValue(first, operator) || (second != null && hasValue(second, operator))) {
      return null;
    }
    TensorType secondType = second == null ? null : second.type();
    return table.recent(operator, attributes, 1, first.type(), secondType) instanceof Dispatch.Compute compute
      && compute.requests().size() == 1 ? pushed(operator, compute, first, second) : null;
  }

  /** Whether it has pushed a call that overwrites an array with its result; if not, nothing has changed. */
  boolean overwrote(NDArray target, String operator, Attributes attributes, List<NDArray> operands) {
    if (operands.size() != 2) {
      return false;
    }
    NDArray first = operands.get(0);
    NDArray second = operands.get(1);
    if (needLook || hasValue(first, operator) || hasValue(second, operator)
      || !(table.recent(operator, attributes, 1, first.type(), second.type()) instanceof Dispatch.Compute compute)
      || !compute.results().equals(List.of(target.type()))
      || first.range().mustBeCopied(target.range(), compute.memory(), 0)
      || second.range().mustBeCopied(target.range(), compute.memory(), 1)) {
      return false;
    }
    try {
      pushes.push(operator, new SmallInvocation(compute, target.range(), first.range(), second.range()));
      return true;
    } finally {
      Reference.reachabilityFence(operands);
    }
  }

  private boolean hasValue(NDArray operand, String operator) {
    runtime.requireMine(operand, operator);
    return operand.constantValue() != null;
  }

  private NDArray pushed(String operator, Dispatch.Compute compute, NDArray first, @Nullable NDArray second) {
    NDArray made = runtime.newArray(host, compute.requests().get(0), compute.results().get(0));
    try {
      pushes.push(operator, new SmallInvocation(compute, made.range(), first.range(), second == null
        ? null
        : second.range()));
      return made;
    } catch (RuntimeException | Error e) {
      // The push failed, so its result is closed.
      made.closeIfOpen();
      throw e;
    } finally {
      // Without the fence, the collector could find an operand unreachable, and its bytes be freed, before the push.
      Reference.reachabilityFence(first);
      Reference.reachabilityFence(second);
    }
  }
}
