package dev.cairn.runtime.ndarray;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.backend.DeviceOptions;
import dev.cairn.runtime.invoke.Dispatch;
import dev.cairn.runtime.ndarray.memory.CallSite;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The follower of each thread's calls, and what followers know of arrays. For tapes and sketches, not for users. */
public final class FollowedCalls {
  private FollowedCalls() {}

  /** The follower of this thread's calls; null if there is none. */
  public static @Nullable CallFollower follower() {
    return ArrayRuntime.follower();
  }

  /** Sets the follower of this thread's calls; null for none. */
  public static void follow(@Nullable CallFollower follower) {
    ArrayRuntime.follow(follower);
  }

  /** Where the array stands for gradients; null if it has no place. */
  public static @Nullable TapePlace placeOf(NDArray array) {
    return array.range().place() instanceof TapePlace place ? place : null;
  }

  /** Gives the array a place; the one that it had is released. */
  public static void place(NDArray array, @Nullable TapePlace place) {
    array.range().setPlace(place);
  }

  /** Whether an array over the same bytes is on a tape. */
  public static boolean isOnTape(NDArray array) {
    return array.range().storage().isOnTape();
  }

  /** Equal for arrays of one type over the same bytes, now and after they are closed. */
  public static Object identity(NDArray array) {
    return array.range();
  }

  /** The value, if it is known before anything runs and never changes. */
  public static @Nullable TensorView constantValue(NDArray array) {
    return array.range().storage().isConstant() ? array.range().view() : null;
  }

  /** An array that has a type and no bytes: it stands for a value of a graph. It has no owner. */
  public static NDArray sketched(ArrayRuntime runtime, TensorType type) {
    runtime.engine().require("sketch");
    return new NDArray(runtime, runtime.invoker().live().sketched(runtime.devices().current(), type));
  }

  /** Whether a backward may write the array, because it is an attached gradient. */
  public static boolean isGradient(NDArray array) {
    return array.range().storage().isGradient();
  }

  /** Whether the array has a type and no bytes. */
  public static boolean isSketched(NDArray array) {
    return array.range().storage().isSketched();
  }

  /**
   * How a call would run; nothing runs, and nothing is waited for.
   *
   * @throws IllegalArgumentException when types or attributes break the operator's rules
   * @throws dev.cairn.runtime.operator.ValueDependentShape when types depend on values that are not constant
   */
  public static Dispatch dispatch(ArrayRuntime runtime, String operator, Attributes attributes, int results,
    List<@Nullable NDArray> operands) {
    return runtime.invoker().dispatchAtOnce(operator, attributes, results, runtime.ranges(operator, operands));
  }

  /** The options of a runtime. */
  public static ArrayOptions options(ArrayRuntime runtime) {
    return runtime.options();
  }

  /** Whether all arrays of a runtime lie on the processor. */
  public static boolean isOnOneDevice(ArrayRuntime runtime) {
    return runtime.devices().isSingle();
  }

  /** How sessions open a device of a runtime. */
  public static DeviceOptions deviceOptions(ArrayRuntime runtime, String device) {
    return runtime.devices().named(device).options();
  }

  /** The device on which a call with these operands runs. @throws IllegalArgumentException when they lie on several */
  public static String deviceOf(ArrayRuntime runtime, String what, List<NDArray> operands) {
    return runtime.invoker().deviceOf(what, runtime.holds(what, operands)).name();
  }

  /** Whether this thread runs an operation or an access of the runtime, so that it must not wait. */
  public static boolean isInside(ArrayRuntime runtime) {
    return runtime.engine().isInside();
  }

  /** What a package above keeps with a runtime: one object of each type, made when it is first asked for. */
  public static <T> T kept(ArrayRuntime runtime, Class<T> type, Supplier<T> maker) {
    return runtime.kept(type, maker);
  }

  /** The line of the program that calls an array's function. */
  public static String site() {
    return CallSite.capture();
  }
}
