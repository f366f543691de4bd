package dev.cairn.kernels.cuda.movement;

import dev.cairn.kernels.attribute.DropoutForm;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cuda.kernel.CudaKernel;
import dev.cairn.kernels.cuda.kernel.DeviceCopy;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.kernel.Launch;
import dev.cairn.kernels.tensor.TensorView;
import java.util.List;

/**
 * Operators that change neither elements nor their order: a copy on the device, or nothing if the output has the
 * input's memory. {@code Dropout}'s second output, the mask, is all true.
 */
public final class CudaIdentity extends CudaKernel {
  private static final byte TRUE = 1;
  private final boolean isDropout;

  /** @param isDropout whether the operator is {@code Dropout}, which may have a mask. Training mode is refused */
  public CudaIdentity(KernelLibrary library, boolean isDropout) {
    super(library);
    this.isDropout = isDropout;
  }

  @Override
  public boolean accepts(KernelSignature signature) {
    return !DropoutForm.of(signature.attributes()).isTraining();
  }

  @Override
  public boolean readsOnHost(int input) {
    return input > 0;
  }

  @Override
  public Runnable prepare(KernelCall call) {
    if (isDropout && call.has(2) && call.input(2).longAt(0) != 0 && (!call.has(1) || call.input(1).doubleAt(0) != 0)) {
      throw new IllegalArgumentException("no kernel drops elements in training: operator=Dropout");
    }
    DeviceCopy copy = DeviceCopy.of(call);
    if (!isDropout || call.outputCount() < 2 || call.output(1).type().bytes() == 0) {
      return copy;
    }
    TensorView mask = call.output(1);
    Runnable fill = () -> copy.stream().fill(mask.segment().address(), TRUE, mask.type().bytes());
    return Launch.inOrder(List.of(copy, fill));
  }
}
