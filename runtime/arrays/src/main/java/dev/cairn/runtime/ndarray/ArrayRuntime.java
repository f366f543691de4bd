package dev.cairn.runtime.ndarray;

import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.Owner;
import dev.cairn.allocator.source.SharedMemory;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.cpu.random.PhiloxGenerator;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.engine.Engine;
import dev.cairn.runtime.engine.EngineOptions;
import dev.cairn.runtime.engine.failure.OperationFailed;
import dev.cairn.runtime.session.Session;
import dev.cairn.runtime.value.Ownership;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.List;
import java.util.Map;
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
public final class ArrayRuntime implements CreationFunctions, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ArrayRuntime.class);
  private static final Owner CONSTANT = Owner.of("constant");

  private final ArrayOptions options;
  private final ArrayDevices devices;
  private final Engine engine;
  private final Invoker invoker;
  private final FunctionCalls functions = new FunctionCalls(this);
  private final HostAccess access;
  private final LiveStorages live = new LiveStorages();
  private final ConstantMemory constants = new ConstantMemory();
  private final ArrayOwners owners = new ArrayOwners();
  private final ArrayRandom random;
  private final OpenState open = new OpenState();
  private final Map<Class<?>, Object> kept = new ConcurrentHashMap<>();
  /** Constants that were copied to a GPU. */
  private final Map<ArrayDevice, DeviceConstants> deviceConstants = new ConcurrentHashMap<>();
  private final Ownership ownership;

  private ArrayRuntime(ArrayOptions options, ArrayDevices devices, Engine engine) {
    this.options = options;
    this.devices = devices;
    this.engine = engine;
    this.access = new HostAccess(engine, options.engine().kind());
    this.invoker = new Invoker(this, devices, options);
    this.random = ArrayRandom.of(this, options.seed());
    this.ownership = new Ownership(this, "arrays on " + devices.names(), new Forgotten(engine, devices, open));
  }

  /** Ends what a runtime holds that was never closed, when nothing can reach it or its arrays any more. */
  private record Forgotten(Engine engine, ArrayDevices devices, OpenState open) implements Runnable {
    @Override
    public void run() {
      if (open.close()) {
        engine.close();
        open.end();
        devices.abandon();
      }
    }
  }

  public static ArrayRuntime open(ArrayOptions options) {
    ArrayDevices devices = ArrayDevices.open(options);
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
    open.require("scope");
    return owners.open(this);
  }

  /**
   * Until closed, arrays that this thread makes from values of the program lie on a device of the options.
   *
   * @throws IllegalArgumentException when this runtime has no such device
   */
  public DeviceScope on(String device) {
    open.require("on");
    return devices.choose(device);
  }

  /** The devices that compute. Arrays can also lie in {@code cpu_pinned} and {@code cpu_shared}: {@link NDArray#to}. */
  public List<String> deviceNames() {
    return devices.names();
  }

  @Override
  public NDArray copyOf(TensorView view) {
    return copyOf(view, devices.current());
  }

  NDArray copyOf(TensorView view, ArrayDevice device) {
    open.require("copyOf");
    return DeviceCopies.of(this, view, device);
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

  /**
   * An array over memory that another process of this user shares ({@link NDArray#sharedName}), or this one. What one
   * process writes, the other one reads; engines do not wait for each other, so the processes agree on who writes when.
   *
   * @param name as the other process says it
   * @throws IllegalArgumentException when there is no such memory, when it is another user's, or too short
   */
  public NDArray openShared(String name, DType dtype, long... shape) {
    open.require("openShared");
    TensorType type = TensorType.of(dtype, shape);
    requireSized(type);
    SharedMemory.Mapping mapping = SharedMemory.open(name, type.bytes());
    boolean isWrapped = false;
    try {
      ArrayStorage storage = ArrayStorage.shared(this, mapping.segment(), ArrayStorage.origin("openShared", type,
        site()), name);
      storage.released = mapping::close;
      isWrapped = true;
      return listed(storage, type);
    } finally {
      if (!isWrapped) {
        mapping.close();
      }
    }
  }

  private NDArray wrapped(MemorySegment memory, TensorType type, ArrayStorage.Access mode, Runnable released) {
    open.require("wrap");
    ForeignMemory.require(memory, type);
    var storage = ArrayStorage.over(this, memory, ArrayStorage.origin("wrap", type, site()), mode);
    // This comes before the array is listed: then another thread can close the runtime, and with it the array.
    storage.released = released;
    return listed(storage, type);
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
    return functions.onHost(new FunctionCalls.Call(operation, operands, results, List.of(), List.of(), function));
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
      try (Workspaces.Space space = host.workspaces().take(Math.max(1, scratchBytes), host.stream(), live)) {
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
    try {
      return SessionCalls.of(session).run(this, inputs);
    } finally {
      Reference.reachabilityFence(session);
    }
  }

  /** For functions that use something besides arrays; the caller closes it. */
  public ArrayOrder order(String name) {
    open.require("order");
    return new ArrayOrder(this, name);
  }

  /** Applies an operator of ONNX, or of the options, by its name; null stands for an omitted operand. */
  @Override
  public List<NDArray> apply(String operator, Attributes attributes, int results,
    List<@Nullable NDArray> operands) {
    return invoker.apply(operator, attributes, results, operands);
  }

  @Override
  public NDArray constant(TensorView value) {
    open.require("constant");
    requireSized(value.type());
    var storage = ArrayStorage.over(this, constants.copyOf(value), CONSTANT, ArrayStorage.Access.CONSTANT);
    return new NDArray(storage, 0, value.type(), false);
  }

  /** An array without a value: the caller pushes the operation that writes it. */
  NDArray newArray(ArrayDevice device, String operation, TensorType type) {
    return newArray(device, null, operation, type);
  }

  /** @param place other memory of the host; null for the device's ordinary memory */
  NDArray newArray(ArrayDevice device, @Nullable HostPlace place, String operation, TensorType type) {
    requireSized(type);
    return listed(ArrayStorage.own(this, device, place, AllocationRequest.of(type.bytes(), ArrayStorage.origin(
      operation, type, site()))), type);
  }

  /** A new array. The request's owner names operation, type and line. */
  NDArray newArray(ArrayDevice device, AllocationRequest request, TensorType type) {
    requireSized(type);
    return listed(ArrayStorage.own(this, device, null, request), type);
  }

  private static void requireSized(TensorType type) {
    if (type.dtype() == DType.STRING) {
      throw new IllegalArgumentException("arrays cannot hold strings, but tensors can: type=" + type);
    }
  }

  private NDArray listed(ArrayStorage storage, TensorType type) {
    live.add(storage);
    return own(new NDArray(storage, 0, type, false));
  }

  /** Gives a new array to the innermost scope, or to the caller. */
  NDArray own(NDArray array) {
    owners.own(array);
    return array;
  }

  ArrayOwners owners() {
    return owners;
  }

  /** The line of the program that calls now; null if lines are not noted. */
  @Nullable
  String site() {
    return options.engine().captureSites() ? CallSite.capture() : null;
  }

  /** Waits for all operations so far; throws each failure that nothing has thrown before. */
  public void waitAll() {
    access.awaitAll(this);
  }

  /** Random arrays, from the runtime's seed. */
  public ArrayRandom random() {
    return random;
  }

  /** This thread's next operations run as one, so many at a time, until closed (I-5). */
  public Engine.Bulk bulk(int operations) {
    open.require("bulk");
    int before = invoker.bulkSize(operations);
    return () -> invoker.bulkSize(before);
  }

  public ArrayStats stats() {
    return new ArrayStats(live.count() - deviceConstants.values().stream().mapToInt(DeviceConstants::count).sum(),
      engine.pending(), options.memory(), devices.usual().stats(), devices
        .stats(),
      invoker.callsOnHost());
  }

  /**
   * Gives memory that no array uses back to the system, and says how many bytes.
   *
   * @throws IllegalStateException when the runtime is closed
   */
  public long trim() {
    return open.during("trim", devices::trim);
  }

  /** Like {@link FollowedCalls#kept}. */
  <T> T kept(Class<T> type, Supplier<T> maker) {
    Object known = kept.get(type);
    return type.cast(known != null ? known : kept.computeIfAbsent(type, _ -> maker.get()));
  }

  ArrayDevices devices() {
    return devices;
  }

  /** Constants that were copied to a GPU. */
  DeviceConstants constants(ArrayDevice device) {
    return deviceConstants.computeIfAbsent(device, DeviceConstants::new);
  }

  FunctionCalls functions() {
    return functions;
  }

  Engine engine() {
    return engine;
  }

  Invoker invoker() {
    return invoker;
  }

  HostAccess access() {
    return access;
  }

  LiveStorages live() {
    return live;
  }

  OpenState open() {
    return open;
  }

  boolean isClosed() {
    return open.isClosed();
  }

  @SuppressWarnings("ReferenceEquality")
  void requireMine(NDArray array, String operation) {
    array.requireOpen(operation);
    if (array.runtime() != this) {
      throw Refusals.otherRuntime(operation, array);
    }
  }

  /**
   * Waits for all operations and closes open arrays; the log names these, and failures that nothing has thrown. Bytes
   * that a {@link HeldArray} keeps stay until that is closed.
   */
  @Override
  public void close() {
    access.requireOutside("close");
    if (!open.close()) {
      return;
    }
    try {
      engine.waitForAll();
    } catch (OperationFailed e) {
      LOG.warn("an operation of arrays failed, and its result was not read", e);
    }
    deviceConstants.values().forEach(DeviceConstants::close);
    // The engine closes before memory goes back: from here on no operation of another thread begins.
    engine.close();
    open.end();
    live.dropAll();
    devices.close();
    ownership.close();
  }
}
