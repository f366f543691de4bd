package dev.cairn.runtime.executor;

import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.runtime.backend.Transfers;

/** A step that copies a constant from page-locked memory to its place in the plan. */
record LoadStep(KernelCall call, Transfers transfers) implements Runnable {
  @Override
  public void run() {
    transfers.enqueueUpload(call.stream(), call.output(0).segment(), call.input(0).segment());
  }
}
