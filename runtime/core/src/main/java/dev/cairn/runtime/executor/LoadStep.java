package dev.cairn.runtime.executor;

import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.runtime.compile.LoadKernel;

/**
 * A step that makes a constant in the plan, of what lies in the mapped file of the model, and then gives the file's
 * pages back.
 */
record LoadStep(KernelCall call, LoadKernel kernel) implements Runnable {
  @Override
  public void run() {
    ConstantWriter.write(kernel.source(), call.output(0).segment(), call.workspace());
  }
}
