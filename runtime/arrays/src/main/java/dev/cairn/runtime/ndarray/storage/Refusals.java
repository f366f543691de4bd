package dev.cairn.runtime.ndarray.storage;

import dev.cairn.runtime.engine.failure.OperationFailed;
import dev.cairn.runtime.ndarray.memory.ArrayEngine;
import dev.cairn.runtime.operator.UnsupportedOperators;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Errors of calls with arrays that cannot be used. Each names the operation, the array and a remedy. */
public final class Refusals {
  private Refusals() {}

  public static IllegalStateException closed(String operation, Object array, @Nullable Throwable cause) {
    return new IllegalStateException("array is closed: operation=%s array=%s; close it after its last use, or let an "
      .formatted(operation, array) + "enclosing scope own it: scope.keep(array)", cause);
  }

  static IllegalArgumentException otherRuntime(String operation, Hold array) {
    return new IllegalArgumentException("an array of another runtime: operation=%s array=%s; copy its values into this "
      .formatted(operation, array.summary()) + "one: runtime.copyOf(array.toHost())");
  }

  /** The error for a push that the engine refused, as another thread has closed the runtime or an array meanwhile. */
  @SuppressWarnings("ReferenceEquality")
  public static IllegalStateException of(String operation, ArrayEngine engine, IllegalStateException refusal,
    @Nullable ArrayRange... touched) {
    IllegalStateException refused = engine.refused(operation, refusal);
    if (refused != refusal) {
      return refused;
    }
    for (ArrayRange range : touched) {
      if (range instanceof Hold hold && hold.isClosed()) {
        return closed(operation, hold.summary(), refusal);
      }
    }
    return refusal;
  }

  /** The error for operands that break an operator's rules, which the message names. */
  public static IllegalArgumentException types(RuntimeException broken, @Nullable ArrayRange[] operands) {
    String remedy = broken instanceof UnsupportedOperators
      ? "convert operands with astype, or add an operator with ArrayOptions.withOperators"
      : isOfTypes(String.valueOf(broken.getMessage()), operands)
        ? "convert operands with astype"
        : "change shapes with reshape, expandDims or broadcastTo, or the call's axes and attributes";
    return new IllegalArgumentException(broken.getMessage() + "; " + remedy, broken);
  }

  /** Whether the rule is about element types; constants have the type that their operator wants. */
  private static boolean isOfTypes(String message, @Nullable ArrayRange[] operands) {
    return message.contains("element type") || Arrays.stream(operands)
      .filter(it -> it != null && !it.storage().isConstant()).map(it -> it.type().dtype()).distinct().count() > 1;
  }

  /** The error for a value that a caller wants and that was never computed. */
  public static OperationFailed failed(ArrayStorage storage, OperationFailed failure) {
    return failure.of("the array made by %s has no value".formatted(storage),
      "; fill, copyFrom or set of the whole array gives it one; EngineOptions.withCaptureSites shows lines");
  }
}
