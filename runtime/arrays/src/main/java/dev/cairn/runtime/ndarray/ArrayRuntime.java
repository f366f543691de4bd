package dev.cairn.runtime.ndarray;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.ConstantForm;
import dev.cairn.kernels.cpu.random.PhiloxGenerator;
import dev.cairn.kernels.device.ProgramLocal;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.custom.CompositeOperator;
import dev.cairn.runtime.engine.Engine;
import dev.cairn.runtime.engine.EngineOptions;
import dev.cairn.runtime.engine.failure.OperationFailed;
import dev.cairn.runtime.expression.OperatorCalls;
import dev.cairn.runtime.graph.Scalars;
import dev.cairn.runtime.ndarray.call.CallOrder;
import dev.cairn.runtime.ndarray.call.FunctionCalls;
import dev.cairn.runtime.ndarray.call.Invoker;
import dev.cairn.runtime.ndarray.call.SessionCalls;
import dev.cairn.runtime.ndarray.memory.ArrayDevice;
import dev.cairn.runtime.ndarray.memory.ArrayDevices;
import dev.cairn.runtime.ndarray.memory.ArrayEngine;
import dev.cairn.runtime.ndarray.memory.Workspaces;
import dev.cairn.runtime.ndarray.storage.ArrayRange;
import dev.cairn.runtime.ndarray.storage.ArrayStorage;
import dev.cairn.runtime.ndarray.storage.Hold;
import dev.cairn.runtime.ndarray.storage.Leaks;
import dev.cairn.runtime.ndarray.storage.LiveStorages;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.value.Ownership;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes arrays and runs their operations: an engine, a device and memory. Runtimes do not know each other's arrays.
 * Thread-safe. Close it to give everything back. The log names a runtime that nothing can reach and that was not
 * closed, and everything goes back then, too.
 *
 * <pre>{@code
 * try (var arrays = ArrayRuntime.open(ArrayOptions.DEFAULT); var _ = arrays.scope()) {
 *   NDArray x = arrays.of(new float[] {1, 2, 3, 4}, 2, 2);
 *   System.out.println(x.matmul(x.transpose()).add(1).relu());
 * }
 * }</pre>
 */
public final class ArrayRuntime implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ArrayRuntime.class);
  private static final ProgramLocal<CallFollower> FOLLOWER = new ProgramLocal<>();

  private final ArrayOptions options;
  private final ArrayDevices devices;
  private final ArrayEngine engine;
  private final LiveStorages live;
  private final Invoker invoker;
  private final FunctionCalls functions;
  private final Leaks leaks = new Leaks();
  /** The innermost open scope of each thread. */
  private final ProgramLocal<ArrayScope> scopes = new ProgramLocal<>();
  private final ArrayRandom random;
  private final Map<Class<?>, Object> kept = new ConcurrentHashMap<>();
  private final Ownership ownership;

  private ArrayRuntime(ArrayOptions options, ArrayDevices devices, Engine engine) {
    this.options = options;
    this.devices = devices;
    this.engine = new ArrayEngine(engine, options.engine());
    this.live = new LiveStorages(this.engine, devices.host());
    this.invoker = new Invoker(live, devices, options.operators(), options.maxPending());
    this.functions = new FunctionCalls(invoker);
    this.random = ArrayRandom.of(this, options.seed());
    this.ownership = new Ownership(this, "arrays on " + devices.names(), new Forgotten(this.engine, devices));
  }

  /** Ends what a runtime holds that was never closed, when nothing can reach it or its arrays any more. */
  private record Forgotten(ArrayEngine engine, ArrayDevices devices) implements Runnable {
    @Override
    public void run() {
      if (engine.close()) {
        engine.engine().close();
        engine.end();
        devices.abandon();
      }
    }
  }

  public static ArrayRuntime open(ArrayOptions options) {
    ArrayDevices devices = ArrayDevices.open(options.devices(), options.threads(), options.operators(), options
      .memory());
    try {
      return open(options, devices);
    } catch (RuntimeException | Error e) {
      try (devices) {
        throw e;
      }
    }
  }

  private static ArrayRuntime open(ArrayOptions options, ArrayDevices devices) {
    EngineOptions wanted = options.engine().withCaptureSites(false);
    Engine engine = Engine.open(devices.gpus().isEmpty() ? wanted : wanted.withDevices(devices.gpus()));
    try {
      return new ArrayRuntime(options, devices, engine);
    } catch (RuntimeException | Error e) {
      try (engine) {
        throw e;
      }
    }
  }

  /** Opens a scope for arrays that this thread makes; the caller closes it. */
  public ArrayScope scope() {
    engine.require("scope");
    var scope = new ArrayScope(this, scopes.get());
    scopes.set(scope);
    return scope;
  }

  @SuppressWarnings("ReferenceEquality")
  void leave(ArrayScope scope) {
    if (scopes.get() != scope) {
      throw new IllegalStateException("scopes close in reverse: an inner scope of this thread is open");
    }
    scopes.set(scope.outer());
  }

  /**
   * Until closed, arrays that this thread makes from values of the program lie on a device of the options.
   *
   * @throws IllegalArgumentException when this runtime has no such device
   */
  public DeviceScope on(String device) {
    engine.require("on");
    return new DeviceScope(devices, devices.choose(device));
  }

  /** The devices that compute. Arrays can also lie in {@code cpu_pinned} and {@code cpu_shared}: {@link NDArray#to}. */
  public List<String> deviceNames() {
    return devices.names();
  }

  /** A copy of a tensor of any element type. */
  public NDArray copyOf(TensorView view) {
    engine.require("copyOf");
    return own(invoker.copies().of(view, devices.current()));
  }

  /** A copy of the values, which are there at once. */
  public NDArray of(float[] values, long... shape) {
    return copyOf(view(DType.FLOAT32, MemorySegment.ofArray(values), shape));
  }

  public NDArray of(double[] values, long... shape) {
    return copyOf(view(DType.FLOAT64, MemorySegment.ofArray(values), shape));
  }

  public NDArray of(int[] values, long... shape) {
    return copyOf(view(DType.INT32, MemorySegment.ofArray(values), shape));
  }

  public NDArray of(long[] values, long... shape) {
    return copyOf(view(DType.INT64, MemorySegment.ofArray(values), shape));
  }

  private static TensorView view(DType dtype, MemorySegment values, long... shape) {
    TensorType type = TensorType.of(dtype, shape);
    if (values.byteSize() != type.bytes()) {
      throw new IllegalArgumentException("values and shape differ: type=%s elements=%d values=%d".formatted(type, type
        .shape().elementCount(), values.byteSize() / dtype.bytes()));
    }
    return new TensorView(type, values);
  }

  public NDArray zeros(DType dtype, long... shape) {
    return full(0, dtype, shape);
  }

  public NDArray ones(DType dtype, long... shape) {
    return full(1, dtype, shape);
  }

  /** Every element the same number. */
  public NDArray full(Number value, DType dtype, long... shape) {
    return constant(Scalars.of(dtype, value)).broadcastTo(shape);
  }

  /** The numbers from {@code start} in steps as far as {@code end}, which is left out. */
  public NDArray arange(Number start, Number end, Number step, DType dtype) {
    return apply("Range", Attributes.NONE, 1, List.of(constant(Scalars.of(dtype, start)), constant(Scalars.of(dtype,
      end)), constant(Scalars.of(dtype, step)))).get(0);
  }

  /** As many numbers at equal distances from {@code start} to {@code stop}, both of them included. */
  public NDArray linspace(double start, double stop, int count, DType dtype) {
    double[] values = new double[count];
    for (int i = 0; i < count; i++) {
      values[i] = i > 0 && i == count - 1 ? stop : start + i * ((stop - start) / Math.max(1, count - 1));
    }
    try (NDArray doubles = of(values, count)) {
      return doubles.astype(dtype);
    }
  }

  /** A small copy that never changes: calls know its value at once, as they must for axes and shapes. */
  public NDArray constant(TensorView value) {
    engine.require("constant");
    return new NDArray(this, live.constant(value));
  }

  /**
   * An array over the caller's memory, without a copy. The caller keeps the memory alive until the array and its views
   * are closed and their operations have ended, and meanwhile touches it only by {@link NDArray#read} and {@link
   * NDArray#write}.
   *
   * @param memory native memory of exactly the array's size that every thread may use, aligned to an element
   */
  public NDArray wrap(MemorySegment memory, DType dtype, long... shape) {
    if (memory.isReadOnly()) {
      throw new IllegalArgumentException("read-only memory: use wrapReadOnly: memory=" + memory);
    }
    return wrapped(memory, TensorType.of(dtype, shape), ArrayStorage.Access.READ_AND_WRITE, () -> {});
  }

  /** Like {@link #wrap}, but writing to the array is refused. */
  public NDArray wrapReadOnly(MemorySegment memory, DType dtype, long... shape) {
    return wrapped(memory, TensorType.of(dtype, shape), ArrayStorage.Access.READ, () -> {});
  }

  /**
   * Like {@link #wrapReadOnly(MemorySegment, DType, long...)}, and says when the memory is not used any more.
   *
   * @param released called once, by any thread, after the last use by the array, its views and {@link HeldArray}s
   */
  public NDArray wrapReadOnly(TensorView memory, Runnable released) {
    return wrapped(memory.segment(), memory.type(), ArrayStorage.Access.READ, released);
  }

  private NDArray wrapped(MemorySegment memory, TensorType type, ArrayStorage.Access mode, Runnable released) {
    engine.require("wrap");
    return own(live.wrapped(memory, type, mode, released));
  }

  /**
   * An array over memory that another process of this user shares ({@link NDArray#sharedName}), or this one. What one
   * process writes, the other one reads; engines do not wait for each other, so the processes agree on who writes when.
   *
   * @param name as the other process says it
   * @throws IllegalArgumentException when there is no such memory, when it is another user's, or too short
   */
  public NDArray openShared(String name, DType dtype, long... shape) {
    engine.require("openShared");
    return own(live.shared(name, TensorType.of(dtype, shape)));
  }

  /** Applies an operator of ONNX, or of the options, by its name; null stands for an omitted operand. */
  public List<NDArray> apply(String operator, Attributes attributes, int results,
    List<@Nullable NDArray> operands) {
    engine.require(operator);
    if (operator.equals(OperatorCalls.CONSTANT)) {
      if (ConstantForm.of(attributes).value() instanceof AttributeValue.Tensor(TensorView value)) {
        return List.of(constant(value));
      }
      throw new IllegalArgumentException("a constant needs a tensor: attribute=value given=" + attributes);
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
    CallFollower follower = FOLLOWER.get();
    List<NDArray> answered = follower == null
      ? null
      : follower.answer(this, operator, attributes, results, operands);
    if (answered != null) {
      return answered;
    }
    try {
      List<NDArray> made = owned(invoker.run(operator, attributes, results, ranges(operator, operands)));
      if (follower != null) {
        follower.ran(operator, attributes, operands, made);
      }
      return made;
    } finally {
      // Without the fence, the collector could find an operand unreachable, and free its bytes, before the push.
      Reference.reachabilityFence(operands);
    }
  }

  /**
   * Runs a function of the caller as one operation, when the operands have their values: on a thread of the engine, in
   * the order of reads and writes, as an operator does. Operands on a GPU are copied to the host, and results back.
   *
   * @param operation names it in errors and reports
   * @param results at least one type; the function writes arrays of these types
   */
  public List<NDArray> call(String operation, List<NDArray> operands, List<TensorType> results,
    ArrayFunction function) {
    try {
      return owned(functions.onHost(new FunctionCalls.Call(operation, operands.stream().map(NDArray::range).toList(),
        results, function::run)));
    } finally {
      Reference.reachabilityFence(operands);
    }
  }

  /**
   * Like {@link #call(String, List, List, ArrayFunction)}, for a function that uses temporary memory or random numbers.
   * The memory is that of the thread which runs the function, so that no call allocates while calls of this size came
   * before. Each call takes one draw of {@link #random}: the runtime's seed and the calls so far decide its numbers.
   *
   * @param scratchBytes how much temporary memory one call needs
   */
  public List<NDArray> call(String operation, List<NDArray> operands, List<TensorType> results, long scratchBytes,
    ResourceFunction function) {
    if (scratchBytes < 0) {
      throw new IllegalArgumentException("out of range: operation=%s scratchBytes=%d".formatted(operation,
        scratchBytes));
    }
    PhiloxGenerator numbers = random.generator();
    return call(operation, operands, results, (given, written) -> {
      ArrayDevice host = devices.host();
      try (Workspaces.Space space = live.workspace(host, Math.max(1, scratchBytes), host.stream())) {
        function.run(given, written, new ArrayResources(space.segment().asSlice(0, scratchBytes), numbers));
      }
    });
  }

  /**
   * Pushes a run of a session's model as one operation of this engine, without a copy, and returns at once. It waits
   * for inputs where shapes depend on their values. A model without a plan runs before this call returns.
   *
   * @param inputs an array for each input of the model, by name
   * @return an array for each output, made by this thread; reading one throws what {@link Session#run(Map)} would throw
   * @throws IllegalArgumentException when an input is missing, unknown, of the wrong type, or of another runtime
   */
  public Map<String, NDArray> run(Session session, Map<String, NDArray> inputs) {
    Map<String, Hold> holds = new LinkedHashMap<>();
    inputs.forEach((name, array) -> holds.put(name, Objects.requireNonNull(array, "input " + name).range()));
    try {
      Map<String, Hold> pushed = SessionCalls.of(session).push(invoker, holds);
      if (pushed == null) {
        return runNow(session, inputs);
      }
      Map<String, NDArray> outputs = new LinkedHashMap<>();
      pushed.forEach((name, hold) -> outputs.put(name, own(hold)));
      return outputs;
    } finally {
      Reference.reachabilityFence(inputs);
      Reference.reachabilityFence(session);
    }
  }

  /** Waits for the inputs, and copies the results. */
  private Map<String, NDArray> runNow(Session session, Map<String, NDArray> inputs) {
    Map<String, Tensor> tensors = new LinkedHashMap<>();
    Map<String, NDArray> outputs = new LinkedHashMap<>();
    try {
      inputs.forEach((name, array) -> tensors.put(name, array.hold().tensor()));
      try (Result result = session.run(tensors)) {
        result.names().forEach(name -> outputs.put(name, copyOf(tensor(result, name).view())));
      }
      return outputs;
    } catch (RuntimeException | Error e) {
      outputs.values().forEach(NDArray::close);
      throw e;
    } finally {
      Result.closeAll(tensors.values());
    }
  }

  private static Tensor tensor(Result result, String name) {
    if (result.value(name) instanceof Tensor tensor && tensor.dtype() != DType.STRING) {
      return tensor;
    }
    throw new IllegalArgumentException("an output is no array, so run the session with tensors: output=%s value=%s"
      .formatted(name, result.value(name)));
  }

  /** For functions that use something besides arrays; the caller closes it. */
  public ArrayOrder order(String name) {
    return new ArrayOrder(this, new CallOrder(engine, name));
  }

  /** Runs a function where the arrays lie. */
  List<NDArray> callInOrder(String device, CallOrder order, boolean changes, String operation, List<NDArray> operands,
    List<TensorType> results, ArrayFunction function) {
    try {
      return owned(functions.inPlace(devices.named(device), new FunctionCalls.Call(operation, operands.stream().map(
        NDArray::range).toList(), results, function::run, order, changes)));
    } finally {
      Reference.reachabilityFence(operands);
    }
  }

  /** What arrays hold, for a call. @throws IllegalStateException when one is closed, or of another runtime */
  Hold[] holds(String operation, List<NDArray> arrays) {
    return arrays.stream().map(it -> hold(operation, it)).toArray(Hold[]::new);
  }

  /** Like {@link #holds}; null for an omitted operand. */
  @Nullable
  ArrayRange[] ranges(String operation, List<@Nullable NDArray> operands) {
    @Nullable
    ArrayRange[] ranges = new ArrayRange[operands.size()];
    for (int i = 0; i < ranges.length; i++) {
      NDArray operand = operands.get(i);
      ranges[i] = operand == null ? null : hold(operation, operand);
    }
    return ranges;
  }

  private Hold hold(String operation, NDArray array) {
    requireMine(array, operation);
    return array.range();
  }

  void requireMine(NDArray array, String operation) {
    array.range().requireOpenIn(live, operation);
  }

  /** An array over a new range, which the innermost scope owns, or the caller. */
  NDArray own(Hold hold) {
    var array = new NDArray(this, hold);
    ArrayScope scope = scopes.get();
    if (scope == null) {
      leaveToCaller(array);
    } else {
      scope.add(array);
    }
    return array;
  }

  private List<NDArray> owned(Hold... holds) {
    return Arrays.stream(holds).map(this::own).toList();
  }

  void leaveToCaller(NDArray array) {
    array.setScope(null);
    if (!array.range().storage().isConstant()) {
      leaks.watch(array, array.range());
    }
  }

  /** Waits for all operations so far; throws each failure that nothing has thrown before. */
  public void waitAll() {
    invoker.access().awaitAll();
  }

  /** Random arrays, from the runtime's seed. */
  public ArrayRandom random() {
    return random;
  }

  /**
   * This thread's next operations run as one, so many at a time, until closed (I-5). Of calls that compute each element
   * by itself, such as {@code add} or {@code exp}, those that read each other's results become one kernel. It computes
   * the values that the calls would compute one by one. An array that only they use, and that is closed before they
   * run, takes no memory.
   */
  public Engine.Bulk bulk(int operations) {
    engine.require("bulk");
    int before = invoker.bulkSize(operations);
    return () -> invoker.bulkSize(before);
  }

  public ArrayStats stats() {
    return new ArrayStats(live.count() - invoker.copiedConstants(), engine.engine().pending(), options.memory(), devices
      .usual().stats(), devices.stats(), invoker.callsOnHost(), invoker.fusedCalls());
  }

  /**
   * Gives memory that no array uses back to the system, and says how many bytes.
   *
   * @throws IllegalStateException when the runtime is closed
   */
  public long trim() {
    return engine.during("trim", devices::trim);
  }

  /** Like {@link FollowedCalls#kept}. */
  <T> T kept(Class<T> type, Supplier<T> maker) {
    Object known = kept.get(type);
    return type.cast(known != null ? known : kept.computeIfAbsent(type, _ -> maker.get()));
  }

  /** The follower of this thread's calls; null if there is none. */
  static @Nullable CallFollower follower() {
    return FOLLOWER.get();
  }

  /** Sets the follower of this thread's calls; null for none. */
  static void follow(@Nullable CallFollower follower) {
    FOLLOWER.set(follower);
  }

  ArrayOptions options() {
    return options;
  }

  ArrayDevices devices() {
    return devices;
  }

  ArrayEngine engine() {
    return engine;
  }

  Invoker invoker() {
    return invoker;
  }

  /**
   * Waits for all operations and closes open arrays; the log names these, and failures that nothing has thrown. Bytes
   * that a {@link HeldArray} keeps stay until that is closed.
   */
  @Override
  public void close() {
    engine.requireOutside("close");
    if (!engine.close()) {
      return;
    }
    try {
      engine.engine().waitForAll();
    } catch (OperationFailed e) {
      LOG.warn("an operation of arrays failed, and its result was not read", e);
    }
    try (devices) {
      try (Engine _ = engine.engine()) {
        invoker.closeConstants();
      }
      // The engine closes before memory goes back: from here on no operation of another thread begins.
      engine.end();
      live.dropAll();
    } finally {
      ownership.close();
    }
  }
}
