package dev.cairn.runtime.executor;

import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.runtime.compile.LoadKernel;

/**
 * Makes a constant in the plan's memory from the mapped file of the model, and then gives the file's pages back.
 */
record LoadStep(KernelCall call, LoadKernel kernel) implements Runnable {
  @Override
  public void run() {
    ConstantWriter.write(kernel.source(), call.output(0).segment(), call.workspace());
  }
}
