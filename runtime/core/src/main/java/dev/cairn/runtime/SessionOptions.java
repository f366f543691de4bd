package dev.cairn.runtime;

import dev.cairn.allocator.AllocationListener;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.runtime.backend.DeviceOptions;
import dev.cairn.runtime.compile.CompileOptions;
import dev.cairn.runtime.compile.PlannerChoice;
import dev.cairn.runtime.trace.RunObserver;
import dev.cairn.runtime.trace.Tracer;
import java.util.Map;
import java.util.TreeMap;

/**
 * How a session behaves.
 *
 * @param threads processor threads that the kernels of a run may use, the caller's included; at least 1
 * @param shapes shapes of inputs whose extents the model leaves open, by input name; may be empty, then the first run's
 *   inputs decide
 * @param compile how graphs are compiled
 * @param maxConcurrentRuns how many runs may be under way at a time, each with pools of its own; further ones wait
 * @param maxPlans for how many different input shapes plans are kept; the least recently used one goes first
 * @param largestShapes the largest shapes that inputs will have, by input name: one plan, and one set of pools for each
 *   concurrent run, then serves all shapes that are no larger, and others are refused. May be empty, then each shape
 *   has a plan and pools of its own
 * @param observers makes an observer for each run: a {@link Tracer}, for one
 * @param memory how much memory weights, plans and results may take, how it grows, and when it is given back
 * @param device where models run; another than the processor only when it is asked for
 */
public record SessionOptions(int threads, Map<String, Shape> shapes, CompileOptions compile,
  int maxConcurrentRuns, int maxPlans, Map<String, Shape> largestShapes, RunObserver.Source observers,
  MemoryOptions memory, DeviceOptions device) {

  /**
   * The processor, all of its threads, no memory limit, as many concurrent runs as threads, 8 plans, one stream, nobody
   * listening.
   */
  public static final SessionOptions DEFAULT = new SessionOptions(Runtime.getRuntime().availableProcessors(),
    Map.of(), CompileOptions.DEFAULT, Runtime.getRuntime().availableProcessors(), 8, Map.of(),
    RunObserver.Source.NONE, MemoryOptions.DEFAULT, DeviceOptions.CPU);

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
      observers, memory, device);
  }

  public SessionOptions withMemory(MemoryOptions options) {
    return new SessionOptions(threads, shapes, compile, maxConcurrentRuns, maxPlans, largestShapes, observers, options,
      device);
  }

  /** The same with another limit; see {@link MemoryOptions}. */
  public SessionOptions withMemoryLimitBytes(long bytes) {
    return withMemory(memory.withLimitBytes(bytes));
  }

  /** The same with another listener; see {@link MemoryOptions}. */
  public SessionOptions withMemoryListener(AllocationListener listener) {
    return withMemory(memory.withListener(listener));
  }

  public SessionOptions withShapes(Map<String, Shape> given) {
    return new SessionOptions(threads, given, compile, maxConcurrentRuns, maxPlans, largestShapes,
      observers, memory, device);
  }

  public SessionOptions withCompile(CompileOptions options) {
    return new SessionOptions(threads, shapes, options, maxConcurrentRuns, maxPlans, largestShapes,
      observers, memory, device);
  }

  public SessionOptions withPlanner(PlannerChoice planner) {
    return withCompile(compile.withPlanner(planner));
  }

  public SessionOptions withMaxConcurrentRuns(int count) {
    return new SessionOptions(threads, shapes, compile, count, maxPlans, largestShapes,
      observers, memory, device);
  }

  public SessionOptions withMaxPlans(int count) {
    return new SessionOptions(threads, shapes, compile, maxConcurrentRuns, count, largestShapes,
      observers, memory, device);
  }

  public SessionOptions withLargestShapes(Map<String, Shape> largest) {
    return new SessionOptions(threads, shapes, compile, maxConcurrentRuns, maxPlans, largest,
      observers, memory, device);
  }

  /**
   * On how many streams a run's steps may be at the same time. Each further stream is one of the threads; those that
   * are left, if any, help whichever kernel asks first.
   */
  public SessionOptions withStreams(int count) {
    return withCompile(compile.withStreams(count));
  }

  /** Who hears of each run; {@link RunObserver.Source#all} for several. */
  public SessionOptions withObservers(RunObserver.Source source) {
    return new SessionOptions(threads, shapes, compile, maxConcurrentRuns, maxPlans, largestShapes,
      source, memory, device);
  }

  public SessionOptions withDevice(DeviceOptions wanted) {
    return new SessionOptions(threads, shapes, compile, maxConcurrentRuns, maxPlans, largestShapes,
      observers, memory, wanted);
  }

  /**
   * By name: {@code auto}, {@code cpu}, {@code cuda:0}. Opening a session fails with
   * {@link dev.cairn.kernels.cuda.load.CudaUnavailable} where a GPU that is named is not there.
   */
  public SessionOptions withDevice(String name) {
    return withDevice(DeviceOptions.of(name));
  }

  /**
   * The device, with convolutions whose scratch memory one plan for all shapes can tell: cuDNN may want more for
   * smaller shapes than for the largest.
   */
  DeviceOptions deviceForPlans() {
    return largestShapes.isEmpty() ? device : device.withConvolutions(DeviceOptions.Convolutions.OWN);
  }

  /** How many threads one kernel may use. */
  int threadsOfKernel() {
    return Math.max(1, threads - (compile.streams() - 1));
  }
}
