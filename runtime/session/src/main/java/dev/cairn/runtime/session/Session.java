package dev.cairn.runtime.session;

import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.OutOfMemory;
import dev.cairn.allocator.source.NettySubAllocator;
import dev.cairn.allocator.source.SubAllocator;
import dev.cairn.kernels.cuda.load.CudaUnavailable;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.backend.Backend;
import dev.cairn.runtime.backend.Backends;
import dev.cairn.runtime.backend.DeviceOptions;
import dev.cairn.runtime.backend.LocatedView;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.executor.RunFailure;
import dev.cairn.runtime.executor.RunLimit;
import dev.cairn.runtime.executor.RunScope;
import dev.cairn.runtime.executor.RunStopped;
import dev.cairn.runtime.executor.StepFailed;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.operator.UnsupportedOperators;
import dev.cairn.runtime.value.Ownership;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import dev.cairn.runtime.value.Value;
import java.lang.ref.Reference;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.LongSupplier;

/**
 * A model that is ready to run. A session owns the model's weights, variables, plans and their memory; close it when
 * done. Threads may call {@link #run} concurrently. Closing waits for active runs; open results stay valid.
 *
 * <pre>{@code
 * try (var session = Session.open(path); var result = session.run(Map.of("input", Tensor.of(pixels, 1, 784)))) {
 *   float[] logits = result.get("output").toFloatArray();
 * }}</pre>
 */
public final class Session implements AutoCloseable {
  private final RandomRuns random;
  private final SessionOptions options;
  private final LoadedModel model;
  private final AsyncRuns async;
  private final SessionRuns runs;
  private final Ownership ownership;
  private final ReentrantReadWriteLock closing = new ReentrantReadWriteLock();
  private final LongSupplier clock;

  private Session(Graph graph, SessionOptions options, Backend backend, LongSupplier clock) {
    this.clock = clock;
    this.random = RandomRuns.of(options.operators().inlined(graph), options.random());
    this.options = options;
    this.async = new AsyncRuns(options.maxConcurrentRuns(), clock);
    this.model = new LoadedModel(random.graph(), options, backend);
    this.runs = new SessionRuns(this, random, model);
    this.ownership = new Ownership(this, "session of " + graph.name(), model::release);
  }

  /** Like {@link #open(Path, SessionOptions)} with {@link SessionOptions#DEFAULT}. */
  public static Session open(Path model) {
    return open(ModelSource.of(model), SessionOptions.DEFAULT);
  }

  /** Opens a model file; see {@link #open(ModelSource, SessionOptions)}. */
  public static Session open(Path model, SessionOptions options) {
    return open(ModelSource.of(model), options);
  }

  /** Opens a model that lies in an array, with {@link SessionOptions#DEFAULT}. */
  public static Session open(byte[] model) {
    return open(ModelSource.of(model), SessionOptions.DEFAULT);
  }

  /**
   * Opens a model from anywhere: a file, an array, memory, a stream or a class-path resource.
   *
   * @throws InvalidModel when the model cannot be read, or its file changes while Cairn reads it
   * @throws InvalidGraph when a node breaks its operator's rules, or a tensor is larger than an address space
   * @throws UnsupportedOperators when Cairn lacks an operator, a type or a feature that the model uses
   * @throws IllegalArgumentException when the model or the device does not support the options, such as their shapes
   * @throws CudaUnavailable when the options ask for a GPU that this machine does not have
   * @throws OutOfMemory when weights and plan exceed the memory limit
   */
  public static Session open(ModelSource model, SessionOptions options) {
    try {
      Backends.beginLoading(options.deviceForPlans());
      Graph graph = ModelFiles.read(model, options.operators());
      return of(graph, options, new NettySubAllocator(), System::nanoTime);
    } catch (ChangedModelFile e) {
      throw new InvalidModel(model, "the file was truncated while it was read", e);
    }
  }

  /**
   * Opens a graph that was built in Java. If the model or the options give all input shapes, this call makes the plan
   * and loads the weights; otherwise, and where values of inputs decide shapes, the first run does.
   */
  public static Session of(Graph graph, SessionOptions options) {
    return of(graph, options, new NettySubAllocator(), System::nanoTime);
  }

  /** A session with another memory source, for tests. */
  static Session of(Graph graph, SessionOptions options, SubAllocator source) {
    return of(graph, options, source, System::nanoTime);
  }

  /** A session with another memory source and another clock of deadlines, in nanoseconds, for tests. */
  static Session of(Graph graph, SessionOptions options, SubAllocator source, LongSupplier clock) {
    DeviceOptions wanted = options.deviceForPlans();
    int threads = options.threadsOfKernel();
    var memory = new Backends.MemorySource(source, options.memory().growth() == MemoryGrowth.VIRTUAL);
    Backend backend = Backends.open(wanted, threads, memory);
    try {
      return on(graph, options, backend, clock);
    } catch (UnsupportedOperators e) {
      return on(graph, options, Backends.insteadOf(backend, wanted, e, threads, memory), clock);
    }
  }

  /** Opens the session on a device, which closes with it. A failed open closes the device, too. */
  private static Session on(Graph graph, SessionOptions options, Backend backend, LongSupplier clock) {
    Session session;
    try {
      session = new Session(graph, options, backend, clock);
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
      } catch (RuntimeException | Error later) {
        RunFailure.suppress(e, later);
      }
      throw ChangedModelFile.instead(e);
    }
  }

  public ModelInfo info() {
    return ModelInfo.of(random.declared());
  }

  /** The compiled graph for the latest run's inputs; empty before the first plan, and for models that have none. */
  public Optional<CompiledGraph> compiled() {
    return model.plans().latest();
  }

  /** Why the model cannot be planned; empty if it can be, and before the first plan. */
  public Optional<String> unplannedReason() {
    return model.plans().unplannedReason();
  }

  /** What ran with a plan in the latest run: the whole model or, in their order, the parts that have plans. */
  public List<CompiledGraph> compiledParts() {
    return model.plans().parts();
  }

  /** Statistics of the session's memory: weights, plans and open results. */
  public AllocatorStats memoryStats() {
    ownership.requireOpen();
    return model.memory().pool().stats();
  }

  /**
   * Moves open results, so that free memory lies together, and gives empty regions back to the system. A result does
   * not move while a run uses it, or if a caller was given its segment, its view or a buffer of it. Results in other
   * memory than the session's, such as a GPU session's results on the host, do not move either. Requests for memory
   * wait meanwhile. With {@link dev.cairn.allocator.bfc.BfcOptions.Collection#COMPACT}, the session does this itself
   * before it refuses a request.
   *
   * @return bytes moved; {@link AllocatorStats#movedBytes} counts them all
   * @throws IllegalStateException when the session is closed, or its blocks have red zones
   */
  public long compact() {
    boolean isInside = beginUse(RunLimit.NONE);
    try {
      return model.memory().compact();
    } finally {
      endUse(isInside);
    }
  }

  /** A description of the device that runs the model. */
  public String device() {
    int streams = unplannedReason().isPresent() ? 1 : options.compile().streams();
    return model.backend().description() + (streams == 1 ? "" : ", " + streams + " streams");
  }

  /** Whether the model runs on the processor, with kernels that read and write host memory. */
  public boolean isHost() {
    return model.backend().target().isHost();
  }

  /** A description of the kernels that run the model. */
  public String kernels() {
    return model.backend().kernels();
  }

  /** Why the session runs on this device, as text. */
  public String deviceReason() {
    return model.backend().reason();
  }

  /** Like {@link #run(Map, RunOptions)} with {@link RunOptions#DEFAULT}. */
  public Result run(Map<String, ? extends Value> inputs) {
    return run(inputs, RunOptions.DEFAULT);
  }

  /**
   * Runs the model once. Runs of a graph that assigns variables execute one after the other; if one fails midway, a
   * variable may have its new value, or part of it. A run checks cancellation and deadline before each step, but once
   * its last step has begun, it returns the result, which the caller closes.
   *
   * @param inputs a tensor for each input, by name, or the sequence or optional that the model declares; the run reads
   *   them in place and does not change them
   * @throws IllegalArgumentException when an input is missing, unknown or of the wrong type, or a step rejects it
   * @throws InvalidGraph when a node breaks its operator's rules for these shapes
   * @throws UnsupportedOperators when no kernel supports the types that follow from these shapes
   * @throws ChangedModelFile when a new plan or streamed weights need the model's file, but it was truncated
   * @throws StepFailed when a step throws anything else
   * @throws OutOfMemory when the plan or the outputs exceed the memory limit; the session stays usable
   * @throws IllegalStateException when the session or an input is closed
   * @throws RunStopped when the run is cancelled or passes its deadline before its last step begins
   */
  public Result run(Map<String, ? extends Value> inputs, RunOptions how) {
    return run(inputs, how, how.limitFromNow(clock));
  }

  /**
   * Starts a run on another thread and returns at once. Runs beyond {@link SessionOptions#maxConcurrentRuns} wait. The
   * inputs cannot be closed until the run has ended. Cancelling the future stops the run before its next step.
   *
   * @return a future of the outputs, to be closed by the caller; it fails as {@link #run(Map, RunOptions)} does
   * @throws IllegalStateException when the session or an input is closed
   */
  public RunFuture runAsync(Map<String, ? extends Value> inputs, RunOptions how) {
    ownership.requireOpen();
    return async.start(inputs, how, (limit, given) -> run(given, how, limit));
  }

  /** Like {@link #runAsync(Map, RunOptions)} with {@link RunOptions#DEFAULT}. */
  public RunFuture runAsync(Map<String, ? extends Value> inputs) {
    return runAsync(inputs, RunOptions.DEFAULT);
  }

  SessionRuns runs() {
    return runs;
  }

  private Result run(Map<String, ? extends Value> inputs, RunOptions how, RunLimit limit) {
    boolean isInside = beginUse(limit);
    try {
      RunScope scope = RunScope.begin(this);
      try {
        return new ModelRun(random, model, how, limit, scope).run(inputs);
      } catch (InternalError | StepFailed e) {
        throw ChangedModelFile.instead(e);
      } finally {
        scope.end();
      }
    } finally {
      endUse(isInside);
    }
  }

  /** Like {@link SessionRuns#run}. */
  void runInto(Map<String, TensorType> types, List<LocatedView> given, List<LocatedView> results) {
    boolean isInside = beginUse(RunLimit.NONE);
    try {
      RunScope scope = RunScope.begin(this);
      try {
        new ModelRun(random, model, RunOptions.DEFAULT, RunLimit.NONE, scope).runInto(types, given, results);
      } catch (InternalError | StepFailed e) {
        throw ChangedModelFile.instead(e);
      } finally {
        scope.end();
      }
    } finally {
      endUse(isInside);
    }
  }

  /**
   * Keeps the session open until {@link #endUse}, which must follow unless this throws.
   *
   * @return whether this thread works for a run of this session, which keeps the session open itself
   */
  private boolean beginUse(RunLimit limit) {
    boolean isInside = RunScope.isInside(this);
    if (!isInside) {
      model.memory().queue().lock(closing.readLock(), limit);
      try {
        ownership.requireOpen();
      } catch (IllegalStateException e) {
        closing.readLock().unlock();
        throw e;
      }
    }
    return isInside;
  }

  /** @param isInside as {@link #beginUse} returned it */
  private void endUse(boolean isInside) {
    try {
      if (!isInside) {
        closing.readLock().unlock();
      }
    } finally {
      // Without the fence, the collector could find this session unreachable, and release it, in the middle of a run.
      Reference.reachabilityFence(this);
    }
  }

  /**
   * A tensor for an input, in the memory from which the device copies fastest. Its contents are undefined; fill it
   * through its segment. It can serve many runs; the caller closes it.
   */
  public Tensor newInput(DType dtype, long... shape) {
    boolean isInside = beginUse(RunLimit.NONE);
    try {
      return model.memory().newInput(TensorType.of(dtype, shape));
    } finally {
      endUse(isInside);
    }
  }

  /**
   * A copy of the variable's current value. Waits for any run that assigns variables, except inside of such a run.
   *
   * @throws IllegalArgumentException when no variable has this name
   */
  public Tensor variable(String name) {
    boolean isInside = beginUse(RunLimit.NONE);
    try {
      return RunScope.withTurn(this) == null ? model.variables().get(name) : model.variables().copied(name);
    } finally {
      endUse(isInside);
    }
  }

  /**
   * Sets a variable to a copy of a value. Waits for active runs.
   *
   * @throws IllegalArgumentException when no variable has this name, or its type differs; then it keeps its value
   * @throws IllegalStateException when called inside one of the session's own runs, which it would wait for
   */
  public void setVariable(String name, Tensor value) {
    boolean isInside = beginUse(RunLimit.NONE);
    try {
      if (RunScope.withTurn(this) != null) {
        throw new IllegalStateException("a variable cannot be set inside a run of its session: name=" + name);
      }
      model.variables().set(name, value);
    } finally {
      endUse(isInside);
    }
  }

  /**
   * Waits for active runs, and refuses later ones.
   *
   * @throws IllegalStateException when already closed, or when called inside one of the session's own runs
   */
  @Override
  public void close() {
    if (RunScope.isInside(this) || closing.getReadHoldCount() > 0) {
      throw new IllegalStateException(
        "a session cannot be closed inside one of its runs: session=" + random.graph().name());
    }
    runs.beginClose();
    closing.writeLock().lock();
    try {
      ownership.close();
    } finally {
      // If this close was refused, accept runs again; but not if another thread has closed the session.
      if (ownership.isClosed()) {
        async.close();
      } else {
        runs.cancelClose();
      }
      closing.writeLock().unlock();
    }
  }

  /** Whether a thread waits for runs to end or for another thread that closes the session; for tests. */
  boolean isAwaited() {
    return closing.hasQueuedThreads();
  }
}
