package dev.cairn.runtime.ndarray;

import dev.cairn.allocator.AllocationRequest;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.ConstantForm;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.custom.CompositeOperator;
import dev.cairn.runtime.expression.OperatorCalls;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.invoke.Dispatch;
import dev.cairn.runtime.invoke.DispatchTable;
import dev.cairn.runtime.invoke.OperatorUse;
import dev.cairn.runtime.operator.UnsupportedOperators;
import dev.cairn.runtime.operator.ValueDependentShape;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Turns a call of an operator into one operation of the engine. Thread-safe. */
final class Invoker {
  private final ArrayRuntime runtime;
  private final ArrayDevices devices;
  private final DispatchTable table;
  private final ArrayOptions options;
  private final ArrayPushes pushes;
  private final DeviceCalls onDevices;
  private final RecentCalls recent;

  Invoker(ArrayRuntime runtime, ArrayDevices devices, ArrayOptions options) {
    this.runtime = runtime;
    this.devices = devices;
    this.table = devices.host().table();
    this.options = options;
    this.pushes = new ArrayPushes(runtime, options);
    this.onDevices = new DeviceCalls(runtime, this, devices);
    this.recent = new RecentCalls(runtime, devices, pushes, options);
  }

  /** How many calls on arrays of GPUs ran on the processor. */
  long callsOnHost() {
    return onDevices.onHost();
  }

  List<NDArray> apply(String operator, Attributes attributes, int results, List<@Nullable NDArray> operands) {
    runtime.open().require(operator);
    if (operator.equals(OperatorCalls.CONSTANT)) {
      return List.of(constant(attributes));
    }
    Optional<CompositeOperator> composite = options.operators().composite(operator);
    if (composite.isPresent()) {
      try {
        return composite.get().results(operands, attributes, results);
      } catch (StackOverflowError e) {
        throw new IllegalArgumentException("composite operators are nested too deeply, or contain each other: operator="
          + operator, e);
      }
    }
    CallFollower follower = FollowedCalls.follower();
    if (follower == null) {
      return run(operator, attributes, results, operands);
    }
    List<NDArray> made = follower.answer(runtime, operator, attributes, results, operands);
    if (made == null) {
      made = run(operator, attributes, results, operands);
      follower.ran(operator, attributes, operands, made);
    }
    return made;
  }

  /** As the other, for one result of one operand, or of two. */
  NDArray apply(String operator, Attributes attributes, NDArray first, @Nullable NDArray second) {
    NDArray known = FollowedCalls.follower() == null ? recent.result(operator, attributes, first, second) : null;
    return known != null
      ? known
      : apply(operator, attributes, 1, second == null ? List.of(first) : List.of(first, second)).get(0);
  }

  private List<NDArray> run(String operator, Attributes attributes, int results, List<@Nullable NDArray> operands) {
    NDArray known = results == 1 ? recent.result(operator, attributes, operands) : null;
    if (known != null) {
      return List.of(known);
    }
    try {
      @Nullable
      NDArray[] given = operands.toArray(NDArray[]::new);
      ArrayDevice device = devices.of(operator, given);
      return device.isHost()
        ? runOnHost(operator, attributes, results, given)
        : onDevices.run(new DeviceCalls.Call(device, operator, attributes, results, given));
    } finally {
      // Without the fence, the collector could find an operand unreachable, and its bytes be freed, before the push.
      Reference.reachabilityFence(operands);
    }
  }

  /** Runs a call whose operands lie in the host's memory. */
  List<NDArray> runOnHost(String operator, Attributes attributes, int results, @Nullable NDArray[] given) {
    return switch (dispatch(operator, attributes, results, given, true)) {
      case Dispatch.Alias(TensorType result) -> List.of(Objects.requireNonNull(given[0]).viewedAs(result, 0));
      case Dispatch.Fixed(TensorView value) -> List.of(runtime.copyOf(value, devices.host()));
      case Dispatch.Compute compute -> computed(operator, compute, given);
    };
  }

  ArrayPushes pushes() {
    return pushes;
  }

  ArrayOptions options() {
    return options;
  }

  private NDArray constant(Attributes attributes) {
    if (ConstantForm.of(attributes).value() instanceof AttributeValue.Tensor(TensorView value)) {
      return runtime.constant(value);
    }
    throw new IllegalArgumentException("a constant needs a tensor: attribute=value given=" + attributes);
  }

  /** Writes the operator's only result into an array. */
  void applyInto(NDArray target, String operator, Attributes attributes, List<NDArray> operands,
    boolean ignoresOldValue) {
    target.requireWritable(operator, operands);
    if (!ignoresOldValue && recent.overwrote(target, operator, attributes, operands)) {
      return;
    }
    @Nullable
    NDArray[] given = operands.toArray(NDArray[]::new);
    ArrayDevice device = target.range().storage().device;
    devices.requireOn(device, operator, given);
    if (!device.isHost()) {
      onDevices.runInto(new DeviceCalls.Call(device, operator, attributes, 1, given), target, ignoresOldValue);
      return;
    }
    Dispatch.Compute compute = requireInto(target, operator, dispatch(operator, attributes, 1, given, true), given);
    List<NDArray> copies = new ArrayList<>();
    try {
      @Nullable
      ArrayRange[] read = ArrayRange.of(given);
      for (int i = 0; i < read.length; i++) {
        NDArray operand = given[i];
        if (operand != null && operand.range().mustBeCopied(target.range(), compute.memory(), i)) {
          NDArray copy = operand.copy();
          copies.add(copy);
          read[i] = copy.range();
        }
      }
      var written = new ArrayRange[] {target.range()};
      pushes.push(operator, read, written, new Invocation(compute, read, written), ignoresOldValue);
    } finally {
      copies.forEach(NDArray::close);
      Reference.reachabilityFence(operands);
      Reference.reachabilityFence(target);
    }
  }

  /** @throws IllegalArgumentException when a call cannot write its result into the array */
  static Dispatch.Compute requireInto(NDArray target, String operator, Dispatch dispatch,
    @Nullable NDArray[] operands) {
    requireResult(target, operator, dispatch.results().get(0), operands);
    if (dispatch instanceof Dispatch.Compute compute) {
      return compute;
    }
    throw new IllegalArgumentException("%s%s computes nothing to be written into an array: array=%s; use copyFrom"
      .formatted(operator, types(operands), target.type()));
  }

  /** @throws IllegalArgumentException when the result's type is not the array's */
  static void requireResult(NDArray target, String operator, TensorType result, @Nullable NDArray[] operands) {
    if (!result.equals(target.type())) {
      throw new IllegalArgumentException("%s%s cannot be written into an array: result=%s array=%s; write into one of "
        .formatted(operator, types(operands), result, target.type()) + "that type, or make a new one");
    }
  }

  /** @param waits whether to wait for values that types depend on */
  Dispatch dispatch(String operator, Attributes attributes, int results, @Nullable NDArray[] operands, boolean waits) {
    try {
      return waits
        ? found(table, operator, attributes, results, operands)
        : table.find(use(operator, attributes, results, operands));
    } catch (InvalidGraph | UnsupportedOperators e) {
      if (!waits && e instanceof ValueDependentShape) {
        throw e;
      }
      throw Refusals.types(e, operands);
    }
  }

  private OperatorUse use(String operator, Attributes attributes, int results, @Nullable NDArray[] operands) {
    @Nullable
    TensorType[] types = new TensorType[operands.length];
    @Nullable
    TensorView @Nullable [] values = null;
    for (int i = 0; i < operands.length; i++) {
      NDArray operand = operands[i];
      if (operand != null) {
        runtime.requireMine(operand, operator);
        types[i] = operand.type();
        TensorView value = operand.constantValue();
        if (value != null) {
          values = values == null ? new TensorView[operands.length] : values;
          values[i] = value;
        }
      }
    }
    return values == null
      ? OperatorUse.of(operator, attributes, results, types)
      : OperatorUse.of(operator, attributes, results, types, values);
  }

  /** How a device's kernels run a call. Values that types depend on are waited for (I-4). */
  Dispatch found(DispatchTable kernels, String operator, Attributes attributes, int results,
    @Nullable NDArray[] operands) {
    OperatorUse use = use(operator, attributes, results, operands);
    while (true) {
      try {
        return kernels.find(use);
      } catch (ValueDependentShape e) {
        NDArray operand = operands[e.input()];
        if (operand == null || use.hasValue(e.input())) {
          throw e;
        }
        use = use.withValue(e.input(), operand.toHost());
      }
    }
  }

  private List<NDArray> computed(String operator, Dispatch.Compute compute, @Nullable NDArray[] operands) {
    @Nullable
    ArrayRange[] read = ArrayRange.of(operands);
    NDArray[] made = newArrays(devices.host(), operator, compute.results(), compute.requests());
    try {
      ArrayRange[] written = written(made);
      pushes.push(operator, read, written, new Invocation(compute, read, written), false);
      return made.length == 1 ? List.of(made[0]) : List.of(made);
    } catch (RuntimeException | Error e) {
      close(made);
      throw e;
    }
  }

  /** @param requests what memory they need; null to make the requests, which is done anyway where lines are noted */
  private NDArray[] newArrays(ArrayDevice device, String operation, List<TensorType> types,
    @Nullable List<AllocationRequest> requests) {
    List<AllocationRequest> known = options.engine().captureSites() ? null : requests;
    var made = new NDArray[types.size()];
    try {
      for (int i = 0; i < made.length; i++) {
        TensorType type = types.get(i);
        made[i] = known == null
          ? runtime.newArray(device, operation, type)
          : runtime.newArray(device, known.get(i), type);
      }
      return made;
    } catch (RuntimeException | Error e) {
      close(made);
      throw e;
    }
  }

  private static ArrayRange[] written(NDArray[] made) {
    var written = new ArrayRange[made.length];
    for (int i = 0; i < made.length; i++) {
      written[i] = made[i].range();
    }
    return written;
  }

  /** Closes the results of a push that failed. */
  private static void close(@Nullable NDArray[] made) {
    for (NDArray array : made) {
      if (array != null) {
        array.closeIfOpen();
      }
    }
  }

  /** New arrays on a device, which a push writes; none if the push fails. */
  List<NDArray> made(ArrayDevice device, String operator, List<TensorType> types, Consumer<ArrayRange[]> push) {
    NDArray[] made = newArrays(device, operator, types, null);
    try {
      push.accept(written(made));
      return List.of(made);
    } catch (RuntimeException | Error e) {
      close(made);
      throw e;
    }
  }

  private static List<String> types(@Nullable NDArray[] operands) {
    return Arrays.stream(operands).map(it -> it == null ? "_" : it.type().toString()).toList();
  }
}
