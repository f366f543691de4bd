package dev.cairn.runtime.executor;

import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.runtime.backend.RunTarget;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.ControlKernel;
import java.util.ArrayList;
import java.util.List;

/**
 * An {@code If} of a plan: both branches are bound to the same memory, and a run runs one of them. On a device the host
 * waits once, for the condition.
 */
final class BranchStep implements ControlStep {
  private final KernelCall call;
  private final ControlMemory memory;
  private final List<BoundBody> bodies = new ArrayList<>();
  private final int captured;

  BranchStep(ControlKernel.Branch kernel, KernelCall call, RunTarget target) {
    this.call = call;
    this.captured = kernel.firstConstant() - 1;
    this.memory = ControlMemory.of(target, call.stream());
    try {
      int constant = kernel.firstConstant();
      for (CompiledGraph compiled : kernel.bodies()) {
        BoundBody body = new BoundBody(compiled, call, constant, target, memory);
        bodies.add(body);
        if (!target.isHost()) {
          bind(body);
        }
        body.prepare();
        constant += compiled.storage().constants().size();
      }
    } catch (RuntimeException | Error e) {
      try {
        close();
      } catch (RuntimeException | Error later) {
        RunFailure.suppress(e, later);
      }
      throw e;
    }
  }

  @Override
  public void begin(RunLimit limit) {
    bodies.forEach(body -> body.begin(limit));
  }

  @Override
  public void run() {
    memory.fetch(0, call.input(0));
    memory.await();
    BoundBody body = bodies.get(memory.flag(0) ? 0 : 1);
    bind(body);
    body.run();
  }

  private void bind(BoundBody body) {
    for (int i = 0; i < captured; i++) {
      body.bindInput(i, call.input(1 + i));
    }
    for (int i = 0; i < call.outputCount(); i++) {
      body.bindResult(i, call.output(i));
    }
  }

  @Override
  public void close() {
    bodies.forEach(BoundBody::close);
    memory.close();
  }
}
