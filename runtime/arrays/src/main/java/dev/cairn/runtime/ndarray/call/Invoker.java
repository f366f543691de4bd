package dev.cairn.runtime.ndarray.call;

import dev.cairn.allocator.AllocationRequest;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.custom.CustomOperator;
import dev.cairn.runtime.custom.OperatorRegistry;
import dev.cairn.runtime.engine.Engine;
import dev.cairn.runtime.engine.failure.OperationFailed;
import dev.cairn.runtime.engine.queue.Operation;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.invoke.Dispatch;
import dev.cairn.runtime.invoke.DispatchTable;
import dev.cairn.runtime.invoke.OperatorUse;
import dev.cairn.runtime.ndarray.memory.ArrayDevice;
import dev.cairn.runtime.ndarray.memory.ArrayDevices;
import dev.cairn.runtime.ndarray.memory.ArrayEngine;
import dev.cairn.runtime.ndarray.memory.MemoryRoom;
import dev.cairn.runtime.ndarray.storage.ArrayRange;
import dev.cairn.runtime.ndarray.storage.Hold;
import dev.cairn.runtime.ndarray.storage.LiveStorages;
import dev.cairn.runtime.ndarray.storage.Refusals;
import dev.cairn.runtime.operator.UnsupportedOperators;
import dev.cairn.runtime.operator.ValueDependentShape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs operators on ranges of arrays: finds the kernel for the operands' types, makes the results, and pushes one
 * operation to the engine. On every device this is the one way. Where a GPU has no kernel for an operator,
 * operands are copied to the processor, which runs it, and results are copied back. Thread-safe. Callers keep the
 * operands' arrays reachable until a call returns: else the collector could free their bytes before the push.
 */
public final class Invoker {
  private static final Logger LOG = LoggerFactory.getLogger(Invoker.class);

  private static final int MOST_UNLOOKED = 256;
  /** A kernel over so many bytes takes no longer than to hand it to another thread. */
  private static final long SHORT_BYTES = 8 << 10;

  private static final Hold[] NONE = {};

  private final LiveStorages live;
  private final ArrayDevices devices;
  private final ArrayEngine runtime;
  private final Engine engine;
  private final HostAccess access;
  private final DeviceCopies copies = new DeviceCopies(this);
  /** Constants that were copied to a GPU. */
  private final Map<ArrayDevice, DeviceConstants> constants = new ConcurrentHashMap<>();
  /** Names of the program's operators, whose kernels may take any time. */
  private final Set<String> ownOperators;
  private final ElementwiseFusion fusion;
  private final int maxPending;
  private final int lookEvery;
  /** Counted without care: a look more or less at how many are pending changes nothing. */
  private int pushes;
  /** Operators that the log has named as run by the processor. */
  private final Set<String> told = ConcurrentHashMap.newKeySet();
  private final AtomicLong callsOnHost = new AtomicLong();
  /** Runs on a thread that is about to wait, since it has run too far ahead. For tests. */
  volatile Runnable beforeWait = () -> {};

  /**
   * @param operators of users, which take any time
   * @param maxPending a thread that makes calls waits while about so many operations have not ended
   */
  public Invoker(LiveStorages live, ArrayDevices devices, OperatorRegistry operators, int maxPending) {
    this.live = live;
    this.devices = devices;
    this.runtime = live.engine();
    this.engine = runtime.engine();
    this.access = new HostAccess(runtime, copies);
    this.ownOperators = operators.operators().stream().map(CustomOperator::name).collect(Collectors
      .toUnmodifiableSet());
    this.fusion = new ElementwiseFusion(ownOperators);
    this.maxPending = maxPending;
    this.lookEvery = Math.clamp(maxPending / 4, 1, MOST_UNLOOKED);
  }

  public LiveStorages live() {
    return live;
  }

  public ArrayDevices devices() {
    return devices;
  }

  /** Bytes for the calling thread. */
  public HostAccess access() {
    return access;
  }

  /** Copies between devices. */
  public DeviceCopies copies() {
    return copies;
  }

  /** How many calls on arrays of GPUs ran on the processor. */
  public long callsOnHost() {
    return callsOnHost.get();
  }

  /** How many calls bulks have fused. */
  public long fusedCalls() {
    return fusion.fusedCalls();
  }

  /** How many constants have a copy on a GPU. */
  public int copiedConstants() {
    return constants.values().stream().mapToInt(DeviceConstants::count).sum();
  }

  /** Gives the copies of constants up. */
  public void closeConstants() {
    constants.values().forEach(DeviceConstants::close);
  }

  /**
   * The device on which a call runs: its operands', or where this thread makes arrays. Constants lie on every device.
   *
   * @throws IllegalArgumentException when operands lie on several devices
   */
  public ArrayDevice deviceOf(String what, @Nullable ArrayRange... operands) {
    if (devices.isSingle()) {
      return devices.host();
    }
    ArrayDevice found = null;
    for (ArrayRange operand : operands) {
      if (operand != null && !operand.storage().isConstant()) {
        ArrayDevice other = operand.storage().device();
        if (found != null && !found.equals(other)) {
          throw new IllegalArgumentException("operands lie on several devices: operation=%s devices=%s and %s; move "
            .formatted(what, found.name(), other.name()) + "one with to(\"" + found.name() + "\")");
        }
        found = other;
      }
    }
    return found == null ? devices.current() : found;
  }

  /** @throws IllegalArgumentException when an operand lies on another device */
  void requireOn(ArrayDevice device, String what, @Nullable ArrayRange... operands) {
    for (ArrayRange operand : operands) {
      if (operand != null && !operand.storage().isConstant() && !operand.storage().device().equals(device)) {
        throw new IllegalArgumentException("an array is written from another device: operation=%s array=%s operand=%s; "
          .formatted(what, device.name(), operand.storage().device().name()) + "move it with to(\"" + device.name()
          + "\")");
      }
    }
  }

  /** Runs an operator; null stands for an omitted operand. */
  public Hold[] run(String operator, Attributes attributes, int results, @Nullable ArrayRange... operands) {
    ArrayDevice device = deviceOf(operator, operands);
    Dispatch dispatch = dispatch(device, operator, attributes, results, operands);
    return dispatch == null
      ? runOnHost(device, operator, attributes, results, operands)
      : run(device, operator, dispatch, operands);
  }

  /**
   * Like {@link #run}, for one result of one operand, or of two, if such a call was made before; makes few objects.
   *
   * @return null if no such call was made
   */
  public @Nullable Hold runAgain(String operator, Attributes attributes, ArrayRange first,
    @Nullable ArrayRange second) {
    ArrayRange[] operands = second == null ? new ArrayRange[] {first} : new ArrayRange[] {first, second};
    ArrayDevice device = deviceOf(operator, operands);
    return recent(device.table(), operator, attributes, first, second) instanceof Dispatch.Compute known
      ? push(device, operator, known, operands, null, false)[0]
      : null;
  }

  private static @Nullable Dispatch recent(DispatchTable table, String operator, Attributes attributes,
    ArrayRange first, @Nullable ArrayRange second) {
    long constants = first.storage().isConstant() ? 1 : 0;
    if (second == null) {
      return table.recent(operator, attributes, 1, first.type(), null, constants);
    }
    constants |= second.storage().isConstant() ? 2 : 0;
    return table.recent(operator, attributes, 1, first.type(), second.type(), constants);
  }

  private Hold[] run(ArrayDevice device, String operator, Dispatch dispatch, @Nullable ArrayRange[] operands) {
    return switch (dispatch) {
      case Dispatch.Alias(TensorType type) -> new Hold[] {Objects.requireNonNull(operands[0]).viewedAs(type, 0)};
      case Dispatch.Fixed(TensorView value) -> new Hold[] {copies.of(value, device)};
      case Dispatch.Compute compute -> push(device, operator, compute, operands, null, false);
    };
  }

  /** The same elements as another type. */
  Hold cast(ArrayRange source, DType dtype) {
    return run(Operators.CAST, castTo(dtype), 1, source)[0];
  }

  static Attributes castTo(DType dtype) {
    return Attributes.NONE.with("to", new AttributeValue.Text(dtype.toString()));
  }

  /** Sets every element of an array to a scalar of its type. */
  public void fill(ArrayRange target, TensorView scalar) {
    expandInto(target, live.constant(scalar));
  }

  /** Writes a value into an array, as often as it broadcasts. */
  void expandInto(ArrayRange target, ArrayRange value) {
    runInto(target, Operators.EXPAND, Attributes.NONE, true, value, live.constant(TensorView.ofLongs(target.type()
      .shape().extents())));
  }

  /**
   * Writes the operator's only result into an array that may be written.
   *
   * @param ignoresOldValue whether a value that was never computed is made good, where everything is written
   */
  public void runInto(ArrayRange target, String operator, Attributes attributes, boolean ignoresOldValue,
    ArrayRange... operands) {
    ArrayDevice device = target.storage().device();
    requireOn(device, operator, operands);
    Dispatch dispatch = dispatch(device, operator, attributes, 1, operands);
    if (dispatch == null) {
      try (Hold made = madeOnHost(device, operator, attributes, 1, operands)[0]) {
        requireResult(target, operator, made.type(), operands);
        copies.push(made, target);
      }
      return;
    }
    requireResult(target, operator, dispatch.results().get(0), operands);
    if (!(dispatch instanceof Dispatch.Compute compute)) {
      throw new IllegalArgumentException("%s%s computes nothing to be written into an array: array=%s; use copyFrom"
        .formatted(operator, types(operands), target.type()));
    }
    overwrite(device, operator, compute, target, operands.clone(), ignoresOldValue);
  }

  private void overwrite(ArrayDevice device, String operator, Dispatch.Compute compute, ArrayRange target,
    ArrayRange[] operands, boolean ignoresOldValue) {
    List<Hold> copied = new ArrayList<>(0);
    try {
      for (int i = 0; i < operands.length; i++) {
        if (operands[i].mustBeCopied(target, compute.memory(), i)) {
          Hold copy = cast(operands[i], operands[i].type().dtype());
          operands[i] = copy;
          copied.add(copy);
        }
      }
      push(device, operator, compute, operands, target, ignoresOldValue);
    } finally {
      copied.forEach(Hold::close);
    }
  }

  private static void requireResult(ArrayRange target, String operator, TensorType result,
    @Nullable ArrayRange[] operands) {
    if (!result.equals(target.type())) {
      throw new IllegalArgumentException("%s%s cannot be written into an array: result=%s array=%s; write into one of "
        .formatted(operator, types(operands), result, target.type()) + "that type, or make a new one");
    }
  }

  private static List<String> types(@Nullable ArrayRange[] operands) {
    return Arrays.stream(operands).map(it -> it == null ? "_" : it.type().toString()).toList();
  }

  /**
   * How a call would run on the processor; waits for nothing.
   *
   * @throws ValueDependentShape when types depend on values that are not constant
   */
  public Dispatch dispatchAtOnce(String operator, Attributes attributes, int results,
    @Nullable ArrayRange... operands) {
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
    @Nullable ArrayRange[] operands) {
    ArrayRange first = results == 1 && (operands.length == 1 || operands.length == 2) ? operands[0] : null;
    ArrayRange second = operands.length == 2 ? operands[1] : null;
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
        ArrayRange operand = operands[e.input()];
        if (operand == null || use.hasValue(e.input())) {
          throw Refusals.types(e, operands);
        }
        use = use.withValue(e.input(), access.toHost(operand));
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

  private static OperatorUse use(String operator, Attributes attributes, int results,
    @Nullable ArrayRange[] operands) {
    @Nullable
    TensorType[] types = new TensorType[operands.length];
    @Nullable
    TensorView @Nullable [] values = null;
    for (int i = 0; i < operands.length; i++) {
      ArrayRange operand = operands[i];
      if (operand != null) {
        types[i] = operand.type();
        if (operand.storage().isConstant()) {
          values = values == null ? new TensorView[operands.length] : values;
          values[i] = operand.view();
        }
      }
    }
    return values == null
      ? OperatorUse.of(operator, attributes, results, types)
      : OperatorUse.of(operator, attributes, results, types, values);
  }

  /** @param requests what memory they need; null to make the requests, which is done anyway where lines are noted */
  private Hold[] newResults(ArrayDevice device, String operation, List<TensorType> types,
    @Nullable List<AllocationRequest> requests) {
    List<AllocationRequest> known = runtime.capturesSites() ? null : requests;
    var made = new Hold[types.size()];
    try {
      for (int i = 0; i < made.length; i++) {
        TensorType type = types.get(i);
        made[i] = known == null
          ? live.own(device, null, operation, type)
          : live.own(device, null, known.get(i), type);
      }
      return made;
    } catch (RuntimeException | Error e) {
      close(made);
      throw e;
    }
  }

  /** The results of an operation that the caller pushes: they have no value yet. */
  Hold[] newResults(ArrayDevice device, String operation, List<TensorType> types) {
    return newResults(device, operation, types, null);
  }

  static void close(@Nullable Hold[] made) {
    for (Hold array : made) {
      if (array != null) {
        array.close();
      }
    }
  }

  private Hold[] runOnHost(ArrayDevice device, String operator, Attributes attributes, int results,
    @Nullable ArrayRange[] operands) {
    Hold[] made = madeOnHost(device, operator, attributes, results, operands);
    try {
      return copies.copied(made, device);
    } finally {
      close(made);
    }
  }

  /** The results of a GPU's call, on the processor. */
  private Hold[] madeOnHost(ArrayDevice device, String operator, Attributes attributes, int results,
    @Nullable ArrayRange[] operands) {
    ArrayDevice host = devices.host();
    @Nullable
    ArrayRange[] moved = operands.clone();
    List<Hold> copied = new ArrayList<>();
    try {
      for (int i = 0; i < moved.length; i++) {
        ArrayRange operand = moved[i];
        if (operand != null && !operand.storage().isConstant()) {
          Hold copy = copies.copied(operand, host);
          copied.add(copy);
          moved[i] = copy;
        }
      }
      Hold[] made = run(host, operator, Objects.requireNonNull(dispatch(host, operator, attributes, results, moved)),
        moved);
      callsOnHost.incrementAndGet();
      if (told.add(operator)) {
        LOG.info("the processor runs an operator on arrays of a GPU, which has no kernel for it; they are copied there "
          + "and back: operator={} device={}", operator, device.name());
      }
      return made;
    } finally {
      copied.forEach(Hold::close);
    }
  }

  /**
   * Pushes a kernel.
   *
   * @param target the array that it writes; null to make new ones, which are closed again if the push fails
   * @param ignoresOldValue whether a value that was never computed is made good, where everything is written
   * @return the new arrays
   */
  private Hold[] push(ArrayDevice device, String operator, Dispatch.Compute compute, @Nullable ArrayRange[] operands,
    @Nullable ArrayRange target, boolean ignoresOldValue) {
    Hold[] made = target == null
      ? newResults(device, operator, compute.results(), compute.requests())
      : NONE;
    int results = target == null ? made.length : 1;
    @Nullable
    ArrayRange[] ranges = new ArrayRange[results + operands.length];
    boolean isPushed = false;
    try {
      System.arraycopy(target == null ? made : new ArrayRange[] {target}, 0, ranges, 0, results);
      for (int i = 0; i < operands.length; i++) {
        ArrayRange operand = operands[i];
        ranges[results + i] = operand == null || device.isHost()
          ? operand
          : onDevice(device, compute.row().kernel().readsOnHost(i), operand);
      }
      var call = new Invocation(compute, ranges, results);
      begin(operator, call);
      try {
        engine.push(placed(operation(device, operator, call), call, ignoresOldValue));
      } catch (RuntimeException | Error e) {
        throw refused(operator, call, e);
      }
      isPushed = true;
      return made;
    } finally {
      if (!isPushed) {
        close(made);
      }
      for (int i = 0; i < operands.length && !device.isHost(); i++) {
        // Only a copy of a constant is held here; the operand itself is its array's.
        if (ranges[results + i] instanceof Hold copy && !copy.equals(operands[i])) {
          copy.close();
        }
      }
    }
  }

  /**
   * An operand where a GPU's kernel reads it: a constant is copied there. An operand that the kernel reads on the host
   * is waited for, unless it is constant (I-2).
   */
  private ArrayRange onDevice(ArrayDevice device, boolean isReadOnHost, ArrayRange operand) {
    boolean isConstant = operand.storage().isConstant();
    if (isReadOnHost) {
      return isConstant ? operand : live.constant(access.toHost(operand));
    }
    return isConstant
      ? constants.computeIfAbsent(device, it -> new DeviceConstants(it, copies)).copyOf(operand)
      : operand;
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
  public void push(ArrayFootprint touched, Operation operation, boolean ignoresOldValue) {
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
    if (++pushes % lookEvery != 0 || engine.pending() < maxPending || runtime.isInside()) {
      return;
    }
    beforeWait.run();
    MemoryRoom.await(() -> engine.pending() > maxPending / 2);
  }

  /** Like {@link Engine#bulkSize}; calls of elementwise operators are fused. */
  public int bulkSize(int operations) {
    try {
      return engine.bulkSize(operations, fusion);
    } catch (IllegalStateException e) {
      throw runtime.refused("bulk", e);
    }
  }
}
