package dev.cairn.runtime.executor;

import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.runtime.backend.Transfers;

/**
 * A step that copies between page-locked memory and the device.
 *
 * @param isOut whether to page-locked memory
 */
record CopyStep(KernelCall call, Transfers transfers, boolean isOut) implements Runnable {
  @Override
  public void run() {
    if (isOut) {
      transfers.enqueueDownload(call.stream(), call.output(0).segment(), call.input(0).segment());
    } else {
      transfers.enqueueUpload(call.stream(), call.output(0).segment(), call.input(0).segment());
    }
  }
}
