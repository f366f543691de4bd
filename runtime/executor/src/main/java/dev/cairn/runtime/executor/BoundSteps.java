package dev.cairn.runtime.executor;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.runtime.backend.RunTarget;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.ControlKernel;
import dev.cairn.runtime.compile.CopyKernel;
import dev.cairn.runtime.compile.LoadKernel;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.trace.MemoryUse;
import dev.cairn.runtime.trace.RunObserver;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The steps of an executor, ready to run: what the kernels prepared of the calls that are bound to its memory. Owns
 * what they hold beside the heap.
 */
final class BoundSteps implements AutoCloseable {
  private final List<Node> nodes;
  private final Bindings bindings;
  private final Runnable[] work;
  private final Map<Integer, ControlStep> controls = new LinkedHashMap<>();

  /** Prepares all calls. On a device, their inputs must be bound already. */
  BoundSteps(CompiledGraph graph, Bindings bindings, RunTarget target) {
    this.bindings = bindings;
    nodes = graph.storage().steps();
    work = new Runnable[nodes.size()];
    for (int step = 0; step < work.length; step++) {
      try {
        work[step] = switch (graph.kernels().get(step).kernel()) {
          case ControlKernel control -> ControlStep.of(nodes.get(step), control, bindings.call(step), target);
          case CopyKernel copy -> new CopyStep(bindings.call(step), target.transfers(), copy == CopyKernel.OUT);
          case LoadKernel load -> new LoadStep(bindings.call(step), load);
          case Kernel kernel -> kernel.prepare(bindings.call(step));
        };
        if (work[step] instanceof ControlStep control) {
          controls.put(step, control);
        }
      } catch (RuntimeException | Error e) {
        try {
          close();
        } catch (RuntimeException | Error later) {
          RunFailure.suppress(e, later);
        }
        throw StepFailed.of(nodes.get(step), step, e);
      }
    }
  }

  /** Gives the limit of the next run to steps that run bodies. */
  void begin(RunLimit limit) {
    if (!controls.isEmpty()) {
      controls.forEach((step, control) -> control.begin(limit.within(step)));
    }
  }

  /** Whether a step runs bodies, so that the host may have to wait for the device in the middle of a run. */
  boolean runsBodies() {
    return !controls.isEmpty();
  }

  int size() {
    return work.length;
  }

  void run(int step) {
    try {
      work[step].run();
    } catch (RuntimeException | Error e) {
      throw StepFailed.of(nodes.get(step), step, e);
    }
  }

  /** Runs a step and notifies an observer of it. */
  void run(int step, int stream, RunObserver observer) {
    observer.stepBegan(step, stream);
    try {
      if (observer.observesMemory()) {
        tellMemory(step, bindings.call(step), observer);
      }
      run(step);
    } catch (RuntimeException | Error e) {
      try {
        observer.stepEnded(step, stream);
      } catch (RuntimeException | Error later) {
        RunFailure.suppress(e, later);
      }
      throw e;
    }
    observer.stepEnded(step, stream);
  }

  private static void tellMemory(int step, KernelCall call, RunObserver observer) {
    for (int i = 0; i < call.inputCount(); i++) {
      if (call.has(i)) {
        tellMemory(step, MemoryUse.READ, call.input(i).segment(), observer);
      }
    }
    tellMemory(step, MemoryUse.SCRATCH, call.workspace(), observer);
    for (int i = 0; i < call.outputCount(); i++) {
      tellMemory(step, MemoryUse.WRITTEN, call.output(i).segment(), observer);
    }
  }

  private static void tellMemory(int step, MemoryUse use, MemorySegment memory, RunObserver observer) {
    if (memory.isNative() && memory.byteSize() > 0) {
      observer.memoryUsed(step, use, memory.address(), memory.byteSize());
    }
  }

  /** For each step, its call; not to be changed. */
  Runnable[] work() {
    return work;
  }

  RuntimeException failed(int step, Throwable cause) {
    return StepFailed.of(nodes.get(step), step, cause);
  }

  /** No step may run any more. All are closed, whatever one of them throws. */
  @Override
  public void close() {
    RuntimeException failure = null;
    for (Runnable step : work) {
      if (step instanceof AutoCloseable held) {
        try {
          held.close();
        } catch (Exception e) {
          IllegalStateException closing = new IllegalStateException("a prepared call was not closed", e);
          if (failure == null) {
            failure = closing;
          } else {
            failure.addSuppressed(closing);
          }
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
