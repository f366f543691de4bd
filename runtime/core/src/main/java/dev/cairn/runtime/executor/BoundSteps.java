package dev.cairn.runtime.executor;

import dev.cairn.runtime.trace.RunObserver;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.graph.Node;
import java.util.List;

/**
 * The steps of an executor, ready to run: kernels with the calls that are bound to its memory. On the host a kernel is
 * called as it is; elsewhere it is what the kernel prepared of its call.
 */
final class BoundSteps {
  private final List<Node> nodes;
  private final Kernel[] kernels;
  private final KernelCall[] calls;

  /** @param prepared whether the calls are prepared; their inputs must be bound already */
  BoundSteps(CompiledGraph graph, Bindings bindings, boolean prepared) {
    nodes = graph.storage().steps();
    kernels = new Kernel[nodes.size()];
    calls = new KernelCall[nodes.size()];
    for (int step = 0; step < kernels.length; step++) {
      calls[step] = bindings.call(step);
      Kernel kernel = graph.kernels().get(step).kernel();
      kernels[step] = prepared ? prepared(step, kernel) : kernel;
    }
  }

  /** As a kernel of this one call. */
  private Kernel prepared(int step, Kernel kernel) {
    try {
      Runnable ready = kernel.prepare(calls[step]);
      return _ -> ready.run();
    } catch (RuntimeException | Error e) {
      throw StepFailed.of(nodes.get(step), step, e);
    }
  }

  int size() {
    return kernels.length;
  }

  void run(int step) {
    try {
      kernels[step].run(calls[step]);
    } catch (RuntimeException | Error e) {
      throw StepFailed.of(nodes.get(step), step, e);
    }
  }

  /** A step that somebody hears of. */
  void run(int step, int stream, RunObserver observer) {
    observer.stepBegan(step, stream);
    try {
      run(step);
    } catch (RuntimeException | Error e) {
      RunFailure.tellOf(e, () -> observer.stepEnded(step, stream));
      throw e;
    }
    observer.stepEnded(step, stream);
  }

  /** All steps in their order, with nothing in between. */
  void runAll() {
    Kernel[] work = kernels;
    KernelCall[] bound = calls;
    int step = 0;
    try {
      for (; step < work.length; step++) {
        work[step].run(bound[step]);
      }
    } catch (RuntimeException | Error e) {
      throw StepFailed.of(nodes.get(step), step, e);
    }
  }
}
