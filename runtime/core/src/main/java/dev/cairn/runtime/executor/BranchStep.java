package dev.cairn.runtime.executor;

import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.ControlKernel;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** An {@code If} of a plan: both branches are bound to the same memory, and a run runs one of them. */
final class BranchStep implements ControlStep {
  private final KernelCall call;
  private final List<BoundBody> bodies = new ArrayList<>();
  private final int captured;

  BranchStep(ControlKernel.Branch kernel, KernelCall call) {
    this.call = call;
    this.captured = kernel.firstConstant() - 1;
    int constant = kernel.firstConstant();
    for (CompiledGraph body : kernel.bodies()) {
      bodies.add(new BoundBody(body, call, constant, call.workspace(), call.stream()));
      constant += body.storage().constants().size();
    }
  }

  @Override
  public void begin(RunLimit limit) {
    bodies.forEach(body -> body.begin(limit));
  }

  @Override
  public void run() {
    boolean then = call.input(0).segment().get(ValueLayout.JAVA_BYTE, 0) != 0;
    BoundBody body = bodies.get(then ? 0 : 1);
    for (int i = 0; i < captured; i++) {
      body.bindInput(i, call.input(1 + i));
    }
    for (int i = 0; i < call.outputCount(); i++) {
      body.bindResult(i, call.output(i));
    }
    body.run();
  }

  @Override
  public void close() {
    bodies.forEach(BoundBody::close);
  }
}
