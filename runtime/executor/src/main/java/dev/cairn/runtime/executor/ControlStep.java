package dev.cairn.runtime.executor;

import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.runtime.backend.RunTarget;
import dev.cairn.runtime.compile.ControlKernel;
import dev.cairn.runtime.graph.Node;

/** A step that runs bodies, bound to its memory. */
sealed interface ControlStep extends Runnable, AutoCloseable permits BranchStep, RepeatStep {
  /** The limit of the run that begins. */
  void begin(RunLimit limit);

  @Override
  void close();

  /** @param call of the step; on the host its operands may be bound anew before each run */
  static ControlStep of(Node node, ControlKernel kernel, KernelCall call, RunTarget target) {
    return switch (kernel) {
      case ControlKernel.Branch branch -> new BranchStep(branch, call, target);
      case ControlKernel.Repeat repeat -> new RepeatStep(node, repeat, call, target);
    };
  }
}
