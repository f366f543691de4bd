package dev.cairn.runtime.ndarray;

import dev.cairn.allocator.AllocationRequest;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.ConstantForm;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.custom.CompositeOperator;
import dev.cairn.runtime.custom.CustomOperator;
import dev.cairn.runtime.engine.Engine;
import dev.cairn.runtime.engine.failure.OperationFailed;
import dev.cairn.runtime.engine.queue.Operation;
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
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs operators on arrays: finds the kernel for the operands' types, makes the results, and pushes one operation to
 * the engine. On every device this is the one way. Where a GPU has no kernel for an operator, operands are copied
 * to the processor, which runs it, and results are copied back. Thread-safe.
 */
final class Invoker {
  private static final Logger LOG = LoggerFactory.getLogger(Invoker.class);

  private static final int MOST_UNLOOKED = 256;
  private static final long LOOK_NANOS = 20_000;
  /** A kernel over so many bytes takes no longer than to hand it to another thread. */
  private static final long SHORT_BYTES = 8 << 10;

  private final ArrayRuntime runtime;
  private final ArrayDevices devices;
  private final ArrayOptions options;
  private final Engine engine;
  /** Names of the program's operators, whose kernels may take any time. */
  private final Set<String> ownOperators;
  private final int lookEvery;
  /** Counted without care: a look more or less at how many are pending changes nothing. */
  private int pushes;
  /** Operators that the log has named as run by the processor. */
  private final Set<String> told = ConcurrentHashMap.newKeySet();
  private final AtomicLong callsOnHost = new AtomicLong();
  /** Runs on a thread that is about to wait, since it has run too far ahead. For tests. */
  volatile Runnable beforeWait = () -> {};

  Invoker(ArrayRuntime runtime, ArrayDevices devices, ArrayOptions options) {
    this.runtime = runtime;
    this.devices = devices;
    this.options = options;
    this.engine = runtime.engine();
    this.ownOperators = options.operators().operators().stream().map(CustomOperator::name).collect(Collectors
      .toUnmodifiableSet());
    this.lookEvery = Math.clamp(options.maxPending() / 4, 1, MOST_UNLOOKED);
  }

  /** How many calls on arrays of GPUs ran on the processor. */
  long callsOnHost() {
    return callsOnHost.get();
  }

  ArrayOptions options() {
    return options;
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
    List<NDArray> answered = follower == null
      ? null
      : follower.answer(runtime, operator, attributes, results, operands);
    if (answered != null) {
      return answered;
    }
    @Nullable
    NDArray[] given = operands.toArray(NDArray[]::new);
    ArrayDevice device = devices.of(operator, given);
    Dispatch dispatch = dispatch(device, operator, attributes, results, given);
    List<NDArray> made = dispatch == null
      ? runOnHost(device, operator, attributes, results, given)
      : List.of(run(device, operator, dispatch, given));
    if (follower != null) {
      follower.ran(operator, attributes, operands, made);
    }
    return made;
  }

  /** As the other, for one result of one operand, or of two; makes few objects where such a call was made before. */
  NDArray apply(String operator, Attributes attributes, NDArray first, @Nullable NDArray second) {
    if (FollowedCalls.follower() == null) {
      NDArray[] given = second == null ? new NDArray[] {first} : new NDArray[] {first, second};
      ArrayDevice device = devices.of(operator, given);
      if (recent(device.table(), operator, attributes, first, second) instanceof Dispatch.Compute known) {
        return push(device, operator, known, given, null, false)[0];
      }
    }
    return apply(operator, attributes, 1, second == null ? List.of(first) : List.of(first, second)).get(0);
  }

  private @Nullable Dispatch recent(DispatchTable table, String operator, Attributes attributes, NDArray first,
    @Nullable NDArray second) {
    runtime.requireMine(first, operator);
    long constants = first.range().storage().isConstant ? 1 : 0;
    if (second == null) {
      return table.recent(operator, attributes, 1, first.type(), null, constants);
    }
    runtime.requireMine(second, operator);
    constants |= second.range().storage().isConstant ? 2 : 0;
    return table.recent(operator, attributes, 1, first.type(), second.type(), constants);
  }

  private NDArray[] run(ArrayDevice device, String operator, Dispatch dispatch, @Nullable NDArray[] operands) {
    return switch (dispatch) {
      case Dispatch.Alias(TensorType type) -> new NDArray[] {Objects.requireNonNull(operands[0]).viewedAs(type, 0)};
      case Dispatch.Fixed(TensorView value) -> new NDArray[] {runtime.copyOf(value, device)};
      case Dispatch.Compute compute -> push(device, operator, compute, operands, null, false);
    };
  }

  /** Writes the operator's only result into an array. */
  void applyInto(NDArray target, String operator, Attributes attributes, List<NDArray> operands,
    boolean ignoresOldValue) {
    target.requireWritable(operator, operands);
    NDArray[] given = operands.toArray(NDArray[]::new);
    ArrayDevice device = target.range().storage().device;
    devices.requireOn(device, operator, given);
    try {
      Dispatch dispatch = dispatch(device, operator, attributes, 1, given);
      if (dispatch == null) {
        NDArray made = madeOnHost(device, operator, attributes, 1, given).get(0);
        try {
          requireResult(target, operator, made.type(), given);
          DeviceCopies.push(made.range(), target.range());
        } finally {
          made.close();
        }
        return;
      }
      requireResult(target, operator, dispatch.results().get(0), given);
      if (!(dispatch instanceof Dispatch.Compute compute)) {
        throw new IllegalArgumentException("%s%s computes nothing to be written into an array: array=%s; use copyFrom"
          .formatted(operator, types(given), target.type()));
      }
      overwrite(device, operator, compute, target, given, ignoresOldValue);
    } finally {
      // As above, the target must not be reclaimed either: the caller may use it for the last time in this call.
      Reference.reachabilityFence(operands);
      Reference.reachabilityFence(target);
    }
  }

  private void overwrite(ArrayDevice device, String operator, Dispatch.Compute compute, NDArray target,
    NDArray[] operands, boolean ignoresOldValue) {
    List<NDArray> copies = List.of();
    try {
      for (int i = 0; i < operands.length; i++) {
        if (operands[i].range().mustBeCopied(target.range(), compute.memory(), i)) {
          copies = copies.isEmpty() ? new ArrayList<>() : copies;
          operands[i] = operands[i].copy();
          copies.add(operands[i]);
        }
      }
      push(device, operator, compute, operands, new NDArray[] {target}, ignoresOldValue);
    } finally {
      copies.forEach(NDArray::close);
    }
  }

  private static void requireResult(NDArray target, String operator, TensorType result, @Nullable NDArray[] operands) {
    if (!result.equals(target.type())) {
      throw new IllegalArgumentException("%s%s cannot be written into an array: result=%s array=%s; write into one of "
        .formatted(operator, types(operands), result, target.type()) + "that type, or make a new one");
    }
  }

  private static List<String> types(@Nullable NDArray[] operands) {
    return Arrays.stream(operands).map(it -> it == null ? "_" : it.type().toString()).toList();
  }

  private NDArray constant(Attributes attributes) {
    if (ConstantForm.of(attributes).value() instanceof AttributeValue.Tensor(TensorView value)) {
      return runtime.constant(value);
    }
    throw new IllegalArgumentException("a constant needs a tensor: attribute=value given=" + attributes);
  }

  /**
   * How a call would run on the processor; waits for nothing.
   *
   * @throws ValueDependentShape when types depend on values that are not constant
   */
  Dispatch dispatchAtOnce(String operator, Attributes attributes, int results, @Nullable NDArray[] operands) {
    try {
      return devices.host().table().find(use(operator, attributes, results, operands));
    } catch (ValueDependentShape e) {
      throw e;
    } catch (InvalidGraph | UnsupportedOperators e) {
      throw Refusals.types(e, operands);
    }
  }

  /** How the device runs a call, which waits for values that types depend on (I-4). Null if a GPU has no kernel. */
  private @Nullable Dispatch dispatch(ArrayDevice device, String operator, Attributes attributes, int results,
    @Nullable NDArray[] operands) {
    NDArray first = results == 1 && (operands.length == 1 || operands.length == 2) ? operands[0] : null;
    NDArray second = operands.length == 2 ? operands[1] : null;
    if (first != null && (operands.length == 1 || second != null)) {
      Dispatch known = recent(device.table(), operator, attributes, first, second);
      if (known != null) {
        return known;
      }
    }
    OperatorUse use = use(operator, attributes, results, operands);
    while (true) {
      try {
        return device.table().find(use);
      } catch (ValueDependentShape e) {
        NDArray operand = operands[e.input()];
        if (operand == null || use.hasValue(e.input())) {
          throw Refusals.types(e, operands);
        }
        use = use.withValue(e.input(), operand.toHost());
      } catch (UnsupportedOperators e) {
        if (!device.isHost()) {
          return null;
        }
        throw Refusals.types(e, operands);
      } catch (InvalidGraph e) {
        throw Refusals.types(e, operands);
      }
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

  /** @param requests what memory they need; null to make the requests, which is done anyway where lines are noted */
  private NDArray[] newArrays(ArrayDevice device, String operation, List<TensorType> types,
    @Nullable List<AllocationRequest> requests) {
    List<AllocationRequest> known = options.engine().captureSites() ? null : requests;
    var made = new NDArray[types.size()];
    boolean isDone = false;
    try {
      for (int i = 0; i < made.length; i++) {
        TensorType type = types.get(i);
        made[i] = known == null
          ? runtime.newArray(device, operation, type)
          : runtime.newArray(device, known.get(i), type);
      }
      isDone = true;
      return made;
    } finally {
      if (!isDone) {
        close(made);
      }
    }
  }

  /** New arrays for the results of an operation that the caller pushes. */
  List<NDArray> newArrays(ArrayDevice device, String operation, List<TensorType> types) {
    return List.of(newArrays(device, operation, types, null));
  }

  /** Closes the results of a push that failed. */
  private static void close(@Nullable NDArray[] made) {
    for (NDArray array : made) {
      if (array != null) {
        array.closeIfOpen();
      }
    }
  }

  private List<NDArray> runOnHost(ArrayDevice device, String operator, Attributes attributes, int results,
    @Nullable NDArray[] operands) {
    List<NDArray> made = madeOnHost(device, operator, attributes, results, operands);
    List<NDArray> copies = new ArrayList<>();
    boolean done = false;
    try {
      made.forEach(it -> copies.add(DeviceCopies.copied(it, device)));
      done = true;
      return copies;
    } finally {
      made.forEach(NDArray::close);
      if (!done) {
        copies.forEach(NDArray::closeIfOpen);
      }
    }
  }

  /** The results of a GPU's call, on the processor. */
  private List<NDArray> madeOnHost(ArrayDevice device, String operator, Attributes attributes, int results,
    @Nullable NDArray[] operands) {
    ArrayDevice host = devices.host();
    @Nullable
    NDArray[] moved = operands.clone();
    List<NDArray> copies = new ArrayList<>();
    try {
      for (int i = 0; i < moved.length; i++) {
        NDArray operand = moved[i];
        if (operand != null && !operand.range().storage().isConstant) {
          NDArray copy = DeviceCopies.copied(operand, host);
          copies.add(copy);
          moved[i] = copy;
        }
      }
      List<NDArray> made = List.of(run(host, operator, Objects.requireNonNull(dispatch(host, operator, attributes,
        results, moved)), moved));
      callsOnHost.incrementAndGet();
      if (told.add(operator)) {
        LOG.info("the processor runs an operator on arrays of a GPU, which has no kernel for it; they are copied there "
          + "and back: operator={} device={}", operator, device.name());
      }
      return made;
    } finally {
      copies.forEach(NDArray::close);
    }
  }

  /**
   * Pushes a kernel.
   *
   * @param targets the arrays that it writes; null to make new ones, which are closed again if the push fails
   * @param ignoresOldValue whether a value that was never computed is made good, where everything is written
   * @return the arrays that it writes
   */
  private NDArray[] push(ArrayDevice device, String operator, Dispatch.Compute compute, @Nullable NDArray[] operands,
    NDArray @Nullable [] targets, boolean ignoresOldValue) {
    NDArray[] written = targets == null
      ? newArrays(device, operator, compute.results(), compute.requests())
      : targets;
    @Nullable
    NDArray[] read = device.isHost() ? operands : new NDArray[operands.length];
    boolean isPushed = false;
    try {
      for (int i = 0; i < read.length && !device.isHost(); i++) {
        NDArray operand = operands[i];
        read[i] = operand == null ? null : onDevice(device, compute.row().kernel().readsOnHost(i), operand);
      }
      var call = new Invocation(compute, ArrayRange.of(written, read), written.length);
      begin(operator, call);
      try {
        engine.push(placed(operation(device, operator, call), call, ignoresOldValue));
      } catch (RuntimeException | Error e) {
        throw refused(operator, call, e);
      }
      isPushed = true;
      return written;
    } finally {
      if (!isPushed && targets == null) {
        close(written);
      }
      for (int i = 0; i < read.length; i++) {
        NDArray copy = read[i];
        if (copy != null && !copy.equals(operands[i])) {
          copy.closeIfOpen();
        }
      }
      // Without the fence, the collector could find an operand unreachable, and its bytes be freed, before the push.
      Reference.reachabilityFence(operands);
    }
  }

  /**
   * An operand where a GPU's kernel reads it: a constant is copied there. An operand that the kernel reads on the host
   * is waited for, unless it is constant (I-2).
   */
  private NDArray onDevice(ArrayDevice device, boolean isReadOnHost, NDArray operand) {
    boolean isConstant = operand.range().storage().isConstant;
    if (isReadOnHost) {
      return isConstant ? operand : runtime.constant(operand.toHost());
    }
    return isConstant ? runtime.constants(device).copyOf(operand) : operand;
  }

  private Operation operation(ArrayDevice device, String operator, Invocation call) {
    if (!device.isHost()) {
      return Operation.onStream(operator, call.footprint(), device.place(), call);
    }
    boolean isBrief = call.allBytes() <= SHORT_BYTES && !ownOperators.contains(operator);
    return isBrief
      ? Operation.brief(operator, call.footprint(), call)
      : Operation.of(operator, call.footprint(), call);
  }

  /**
   * Pushes an operation over arrays.
   *
   * @param touched what it reads and writes; its footprint is this one's, and may have further variables
   * @param ignoresOldValue whether a value that was never computed is made good, where everything is written
   */
  void push(ArrayFootprint touched, Operation operation, boolean ignoresOldValue) {
    begin(operation.name(), touched);
    try {
      engine.push(placed(operation, touched, ignoresOldValue));
    } catch (RuntimeException | Error e) {
      throw refused(operation.name(), touched, e);
    }
  }

  private Operation placed(Operation operation, ArrayFootprint touched, boolean ignoresOldValue) {
    String site = runtime.site();
    Operation placed = site == null ? operation : operation.at(site);
    return ignoresOldValue && touched.replacesAll() ? placed.overwriting() : placed;
  }

  /** Before a push: counts the writes, and waits where the program has run too far ahead. */
  private void begin(String name, ArrayFootprint touched) {
    for (ArrayRange range : touched.ranges()) {
      if (range != null) {
        range.storage().requireValues(name);
      }
    }
    throttle();
    for (int i = 0; i < touched.results(); i++) {
      touched.result(i).storage().countWrite();
    }
  }

  /** The error for what a push has thrown. Unless the operation has run and failed, its writes do not count. */
  private RuntimeException refused(String name, ArrayFootprint touched, Throwable thrown) {
    if (thrown instanceof OperationFailed failure) {
      return Refusals.failed(touched.result(0).storage(), failure);
    }
    for (int i = 0; i < touched.results(); i++) {
      touched.result(i).storage().uncountWrite();
    }
    return switch (thrown) {
      case IllegalStateException refusal -> Refusals.of(name, runtime, refusal, touched.ranges());
      case RuntimeException other -> other;
      case Error error -> throw error;
      default -> throw new AssertionError("a push throws no checked exception", thrown);
    };
  }

  /** a program that runs far ahead waits, but never inside an operation. */
  private void throttle() {
    int most = options.maxPending();
    if (++pushes % lookEvery != 0 || engine.pending() < most || runtime.access().isInside()) {
      return;
    }
    beforeWait.run();
    boolean interrupted = false;
    while (engine.pending() > most / 2) {
      LockSupport.parkNanos(this, LOOK_NANOS);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Like {@link Engine#bulkSize}. */
  int bulkSize(int operations) {
    try {
      return engine.bulkSize(operations);
    } catch (IllegalStateException e) {
      throw Refusals.of("bulk", runtime, e);
    }
  }
}
