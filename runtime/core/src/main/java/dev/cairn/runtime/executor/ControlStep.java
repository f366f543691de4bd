package dev.cairn.runtime.executor;

import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.runtime.compile.ControlKernel;
import dev.cairn.runtime.graph.Node;

/** A step that runs bodies, bound to its memory. */
sealed interface ControlStep extends Runnable, AutoCloseable permits BranchStep, RepeatStep {
  /** The limit of the run that begins. */
  void begin(RunLimit limit);

  @Override
  void close();

  /** @param call of the step; its operands on the host may be bound anew before each run */
  static ControlStep of(Node node, ControlKernel kernel, KernelCall call) {
    return switch (kernel) {
      case ControlKernel.Branch branch -> new BranchStep(branch, call);
      case ControlKernel.Repeat repeat -> new RepeatStep(node, repeat, call);
    };
  }
}
