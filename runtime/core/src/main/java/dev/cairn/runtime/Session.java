package dev.cairn.runtime;

import dev.cairn.runtime.backend.DeviceOptions;
import dev.cairn.runtime.backend.Backends;
import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.source.NettySubAllocator;
import dev.cairn.allocator.source.SubAllocator;
import dev.cairn.kernels.cuda.load.CudaUnavailable;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.backend.Backend;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.executor.RunLimit;
import dev.cairn.runtime.executor.RunStopped;
import dev.cairn.runtime.executor.StepFailed;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.operator.UnsupportedOperators;
import java.lang.ref.Reference;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;

/**
 * A model ready to run. Owns the model's weights, its variables, its plans and their memory; close it when done. Any
 * number of threads may call {@link #run} at a time. Closing waits for runs under way; open results stay valid.
 *
 * <pre>{@code
 * try (var session = Session.open(Path.of("model.onnx"));
 *     var result = session.run(Map.of("input", Tensor.of(pixels, 1, 3, 224, 224)))) {
 *   float[] logits = result.get("output").toFloatArray();
 * }
 * }</pre>
 */
public final class Session implements AutoCloseable {
  private final Graph graph;
  private final SessionOptions options;
  private final LoadedModel model;
  private final AsyncRuns async;
  private final Ownership ownership;
  private final ReentrantReadWriteLock closing = new ReentrantReadWriteLock();

  /** @param backend closed with the session */
  private Session(Graph graph, SessionOptions options, Backend backend) {
    this.graph = graph;
    this.options = options;
    this.model = new LoadedModel(graph, options, backend);
    this.async = new AsyncRuns(options.maxConcurrentRuns());
    this.ownership = new Ownership(this, "session of " + graph.name(), model::release);
  }

  /** As {@link #open(Path, SessionOptions)} with {@link SessionOptions#DEFAULT}. */
  public static Session open(Path model) {
    return open(model, SessionOptions.DEFAULT);
  }

  /**
   * Opens a model file.
   *
   * @throws InvalidModel when the file cannot be read, or is changed meanwhile
   * @throws InvalidGraph when a node breaks its operator's rules, or a tensor is larger than an address space
   * @throws UnsupportedOperators when the model uses what Cairn does not have
   * @throws IllegalArgumentException when the model does not admit the shapes of the options, they name largest shapes
   *   and the model cannot be planned, or the device does not have what the options of memory ask for
   * @throws CudaUnavailable when the options ask for a GPU that is not there
   * @throws OutOfMemory when weights and plan do not fit the limit
   */
  public static Session open(Path model, SessionOptions options) {
    try {
      return of(ModelFiles.read(model), options);
    } catch (ChangedModelFile e) {
      throw new InvalidModel(model, "the file was cut short while it was read", e);
    }
  }

  /**
   * Opens a graph composed in Java. Where all input shapes are known, from the model or the options, it is planned and
   * its weights are in place when this returns; else the first run does that.
   */
  public static Session of(Graph graph, SessionOptions options) {
    return of(graph, options, new NettySubAllocator());
  }

  /** The same with another source of memory, for tests that count what is held. */
  static Session of(Graph graph, SessionOptions options, SubAllocator source) {
    DeviceOptions wanted = options.deviceForPlans();
    int threads = options.threadsOfKernel();
    var memory = new Backends.MemorySource(source, options.memory().growth() == MemoryGrowth.VIRTUAL);
    Backend backend = Backends.open(wanted, threads, memory);
    try {
      return on(graph, options, backend);
    } catch (UnsupportedOperators e) {
      return on(graph, options, Backends.insteadOf(backend, wanted, e, threads, memory));
    }
  }

  /** On a device, which is closed with the session, and also when there is none in the end. */
  private static Session on(Graph graph, SessionOptions options, Backend backend) {
    Session session;
    try {
      session = new Session(graph, options, backend);
    } catch (RuntimeException | Error e) {
      backend.close();
      throw e;
    }
    try {
      session.model.prepare();
      return session;
    } catch (RuntimeException | Error e) {
      try {
        session.close();
      } catch (RuntimeException closing) {
        e.addSuppressed(closing);
      }
      throw ChangedModelFile.instead(e);
    }
  }

  public ModelInfo info() {
    return ModelInfo.of(graph);
  }

  /**
   * What was decided for the input shapes that were run last; empty before the first plan, and always where shapes
   * depend on values: such a graph runs node by node, without a plan.
   */
  public Optional<CompiledGraph> compiled() {
    return model.plans().latest();
  }

  /** Why there is no plan where shapes depend on values; empty for all other graphs, and as long as it is not known. */
  public Optional<String> unplannedReason() {
    return model.plans().unplannedReason();
  }

  /** The figures of the session's memory: weights, plans, and results that are still open. */
  public AllocatorStats memoryStats() {
    ownership.requireOpen();
    return model.memory().pool().stats();
  }

  /** What runs the model, for people. */
  public String device() {
    int streams = unplannedReason().isPresent() ? 1 : options.compile().streams();
    return model.backend().description() + (streams == 1 ? "" : ", %d streams".formatted(streams));
  }

  /** Whether it is the processor that runs the model, whose kernels read and write the host's memory. */
  public boolean isHost() {
    return model.backend().target().isHost();
  }

  /** Which kernels serve, for people. */
  public String kernels() {
    return model.backend().kernels();
  }

  /** Why it is this device, for people. */
  public String deviceReason() {
    return model.backend().reason();
  }

  /**
   * As {@link #run(Map, RunOptions)} with {@link RunOptions#DEFAULT}: to its end.
   *
   * @return the outputs, to be closed by the caller
   */
  public Result run(Map<String, Tensor> inputs) {
    return run(inputs, RunOptions.DEFAULT);
  }

  /**
   * Runs the model once. Runs of a graph that assigns to variables are done one after the other; when one fails midway,
   * because a kernel refuses what it is given, a variable may have its new value already, or a part of it. A limit is
   * asked before each step: one that is reached in the last step, or while outputs are copied, does not take the result
   * away.
   *
   * @param inputs a tensor for each input, by name; read where they lie, and not changed
   * @return the outputs, to be closed by the caller
   * @throws IllegalArgumentException when an input is missing, unknown, or of another type than the model declares, or
   *   a kernel refuses its values; the message names the step then
   * @throws InvalidGraph when a node breaks its operator's rules for these shapes
   * @throws UnsupportedOperators when no kernel serves the types that follow from these shapes
   * @throws ChangedModelFile when these shapes need a plan, and the model's file was cut short since it was opened
   * @throws StepFailed when a step throws anything else
   * @throws OutOfMemory when the plan or the outputs do not fit the limit; the session stays usable
   * @throws IllegalStateException when the session or an input is closed
   * @throws RunStopped when the run was cancelled, or is over its deadline, before its last step begins
   */
  public Result run(Map<String, Tensor> inputs, RunOptions how) {
    return run(inputs, how, how.limitFromNow());
  }

  /**
   * As {@link #run(Map, RunOptions)}, on another thread: returns at once. As many runs are under way at a time as the
   * options allow; further ones wait. The inputs cannot be closed until the run has ended. Cancelling the future stops
   * the run before its next step.
   *
   * <pre>{@code
   * try (Result result = session.runAsync(Map.of("input", pixels)).join()) {
   *   float[] logits = result.get("output").toFloatArray();
   * }
   * }</pre>
   *
   * @return the outputs, to be closed by the caller, or what {@link #run(Map, RunOptions)} throws
   * @throws IllegalStateException when the session or an input is closed
   */
  public RunFuture runAsync(Map<String, Tensor> inputs, RunOptions how) {
    ownership.requireOpen();
    return async.start(inputs, how, (limit, given) -> run(given, how, limit));
  }

  /** As {@link #runAsync(Map, RunOptions)} with {@link RunOptions#DEFAULT}. */
  public RunFuture runAsync(Map<String, Tensor> inputs) {
    return runAsync(inputs, RunOptions.DEFAULT);
  }

  private Result run(Map<String, Tensor> inputs, RunOptions how, RunLimit limit) {
    boolean nested = closing.getReadHoldCount() > 0;
    limit.lock(closing.readLock());
    try {
      ownership.requireOpen();
      return new ModelRun(graph, model, how, limit, nested).run(inputs);
    } catch (InternalError e) {
      throw ChangedModelFile.instead(e);
    } finally {
      closing.readLock().unlock();
      // Or a session that is not named again could be found forgotten, and released, in the middle of its run.
      Reference.reachabilityFence(this);
    }
  }

  /**
   * A tensor for an input, of zeros or what was there before, in the memory that this session's device reads with the
   * fewest copies: page-locked where it is a GPU. To be filled by way of its segment, and closed; it may be used again.
   */
  public Tensor newInput(DType dtype, long... shape) {
    return whileOpen(() -> model.memory().newInput(TensorType.of(dtype, shape)));
  }

  /**
   * The value that a variable of the graph has now, as a copy. Waits for a run that assigns to variables.
   *
   * @throws IllegalArgumentException when there is none of this name
   */
  public Tensor variable(String name) {
    return whileOpen(() -> model.variables().get(name));
  }

  /**
   * Gives a variable another value, which is copied. Waits for the runs under way.
   *
   * @throws IllegalArgumentException when there is none of this name, or it is of another type; it keeps its value then
   */
  public void setVariable(String name, Tensor value) {
    whileOpen(() -> {
      model.variables().set(name, value);
      return value;
    });
  }

  private Tensor whileOpen(Supplier<Tensor> work) {
    closing.readLock().lock();
    try {
      ownership.requireOpen();
      return work.get();
    } finally {
      closing.readLock().unlock();
      Reference.reachabilityFence(this);
    }
  }

  /** @throws IllegalStateException when closed before, or by one of the session's own runs: it would wait for itself */
  @Override
  public void close() {
    if (closing.getReadHoldCount() > 0) {
      throw new IllegalStateException("a session closed inside one of its runs: session=" + graph.name());
    }
    closing.writeLock().lock();
    try {
      ownership.close();
      async.close();
    } finally {
      closing.writeLock().unlock();
    }
  }
}
