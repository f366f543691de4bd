package dev.cairn.runtime.session;

import dev.cairn.allocator.AllocationListener;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.runtime.backend.DeviceOptions;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.PlannerChoice;
import dev.cairn.runtime.custom.OperatorRegistry;
import dev.cairn.runtime.resource.RandomState;
import dev.cairn.runtime.trace.RunObserver;
import dev.cairn.runtime.trace.Tracer;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Options of a session.
 *
 * @param threads processor threads that the kernels of a run may use, including the calling thread; at least 1
 * @param shapes shapes of inputs with open extents, by input name; if empty, the first run's inputs decide
 * @param compile how Cairn compiles the model
 * @param maxConcurrentRuns how many runs may execute concurrently, each with its own memory pools; further runs wait
 * @param maxPlans how many input shapes the session keeps plans for; it drops the least recently used plan first
 * @param largestShapes the largest shapes that inputs will have, by input name. One plan, and one set of pools for each
 *   concurrent run, then serves all shapes up to these; larger shapes are rejected. If empty, each shape has its own
 *   plan and pools
 * @param observers makes an observer for each run, such as a {@link Tracer}
 * @param memory how much memory the session may take, how it grows, and when the session gives it back
 * @param device the device that runs the model; the processor by default
 * @param operators the operators that a model may use: Cairn's own, and those of users
 * @param random from which runs take random numbers; if empty, each run draws the same
 */
public record SessionOptions(int threads, Map<String, Shape> shapes, CompileOptions compile,
  int maxConcurrentRuns, int maxPlans, Map<String, Shape> largestShapes, RunObserver.Source observers,
  MemoryOptions memory, DeviceOptions device, OperatorRegistry operators, Optional<RandomState> random) {

  /**
   * The processor with all its threads, no memory limit, as many concurrent runs as threads, 8 plans, one stream, no
   * observer.
   */
  public static final SessionOptions DEFAULT = new SessionOptions(Runtime.getRuntime().availableProcessors(),
    Map.of(), CompileOptions.DEFAULT, Runtime.getRuntime().availableProcessors(), 8, Map.of(),
    RunObserver.Source.NONE, MemoryOptions.DEFAULT, DeviceOptions.CPU, OperatorRegistry.STANDARD,
    Optional.empty());

  public SessionOptions {
    if (threads < 1 || maxConcurrentRuns < 1 || maxPlans < 1) {
      throw new IllegalArgumentException("out of range: threads=%d maxConcurrentRuns=%d maxPlans=%d"
        .formatted(threads, maxConcurrentRuns, maxPlans));
    }
    shapes = Map.copyOf(new TreeMap<>(shapes));
    largestShapes = Map.copyOf(new TreeMap<>(largestShapes));
  }

  public SessionOptions withThreads(int count) {
    return new SessionOptions(count, shapes, compile, maxConcurrentRuns, maxPlans, largestShapes,
      observers, memory, device, operators, random);
  }

  public SessionOptions withMemory(MemoryOptions options) {
    return new SessionOptions(threads, shapes, compile, maxConcurrentRuns, maxPlans, largestShapes, observers, options,
      device, operators, random);
  }

  /** These options with another memory limit; see {@link MemoryOptions}. */
  public SessionOptions withMemoryLimitBytes(long bytes) {
    return withMemory(memory.withLimitBytes(bytes));
  }

  /** These options with another memory listener; see {@link MemoryOptions}. */
  public SessionOptions withMemoryListener(AllocationListener listener) {
    return withMemory(memory.withListener(listener));
  }

  public SessionOptions withShapes(Map<String, Shape> given) {
    return new SessionOptions(threads, given, compile, maxConcurrentRuns, maxPlans, largestShapes,
      observers, memory, device, operators, random);
  }

  public SessionOptions withCompile(CompileOptions options) {
    return new SessionOptions(threads, shapes, options, maxConcurrentRuns, maxPlans, largestShapes,
      observers, memory, device, operators, random);
  }

  public SessionOptions withPlanner(PlannerChoice planner) {
    return withCompile(compile.withPlanner(planner));
  }

  public SessionOptions withMaxConcurrentRuns(int count) {
    return new SessionOptions(threads, shapes, compile, count, maxPlans, largestShapes,
      observers, memory, device, operators, random);
  }

  public SessionOptions withMaxPlans(int count) {
    return new SessionOptions(threads, shapes, compile, maxConcurrentRuns, count, largestShapes,
      observers, memory, device, operators, random);
  }

  public SessionOptions withLargestShapes(Map<String, Shape> largest) {
    return new SessionOptions(threads, shapes, compile, maxConcurrentRuns, maxPlans, largest,
      observers, memory, device, operators, random);
  }

  /**
   * These options with this many streams, on which steps of a run may execute concurrently. Each stream after the first
   * uses one of the threads; the first kernel that needs help gets the remaining threads.
   */
  public SessionOptions withStreams(int count) {
    return withCompile(compile.withStreams(count));
  }

  /** These options with another observer; {@link RunObserver.Source#all} combines several. */
  public SessionOptions withObservers(RunObserver.Source source) {
    return new SessionOptions(threads, shapes, compile, maxConcurrentRuns, maxPlans, largestShapes,
      source, memory, device, operators, random);
  }

  public SessionOptions withDevice(DeviceOptions wanted) {
    return new SessionOptions(threads, shapes, compile, maxConcurrentRuns, maxPlans, largestShapes,
      observers, memory, wanted, operators, random);
  }

  /**
   * These options with a device: {@code auto}, {@code cpu} or {@code cuda:0}. If a named GPU does not exist, opening a
   * session throws {@link dev.cairn.kernels.cuda.load.CudaUnavailable}.
   */
  public SessionOptions withDevice(String name) {
    return withDevice(DeviceOptions.of(name));
  }

  /** These options with operators of users, which the model may use beside Cairn's own. */
  public SessionOptions withOperators(OperatorRegistry known) {
    return new SessionOptions(threads, shapes, compile, maxConcurrentRuns, maxPlans, largestShapes,
      observers, memory, device, known, random);
  }

  /**
   * These options with a random state: each run takes the state's next draws for the random nodes of the model, such
   * as {@code RandomNormal}, or {@code Dropout} in training. Nodes with an attribute {@code seed} draw the same in each
   * run. {@link RandomState#seed} starts again.
   */
  public SessionOptions withRandom(RandomState state) {
    return new SessionOptions(threads, shapes, compile, maxConcurrentRuns, maxPlans, largestShapes, observers, memory,
      device, operators, Optional.of(state));
  }

  /**
   * The device, restricted to convolutions with a fixed workspace if one plan serves all shapes: cuDNN may need more
   * workspace for a smaller shape than for the largest.
   */
  DeviceOptions deviceForPlans() {
    DeviceOptions wanted = largestShapes.isEmpty()
      ? device
      : device.withConvolutions(DeviceOptions.Convolutions.OWN);
    boolean isLimited = memory.limitBytes() < Long.MAX_VALUE || memory.budget().isPresent();
    return isLimited ? wanted.withLimitedMemory() : wanted;
  }

  /** How many threads one kernel may use. */
  int threadsOfKernel() {
    return Math.max(1, threads - (compile.streams() - 1));
  }

  /** These options with the memory limit for plans, so that what does not fit is recomputed where they allow it. */
  SessionOptions withLimitedPlans() {
    boolean isLimited = memory.limitBytes() < Long.MAX_VALUE && compile.recompute().limitBytes().isEmpty();
    return isLimited
      ? withCompile(compile.withRecompute(compile.recompute().withLimitBytes(memory.limitBytes())))
      : this;
  }
}
