package dev.cairn.kernels.cpu.selection;

import dev.cairn.kernels.attribute.AxisForm;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cpu.access.PackedStorage;
import dev.cairn.kernels.tensor.TensorType;

/**
 * {@code Gather} of elements of fewer than 8 bits. Slices that are whole bytes are copied where they lie; any other
 * data is unpacked first.
 */
public final class CpuPackedGather implements Kernel {
  private final Kernel unpacking = new PackedStorage(CpuGather::gather);

  @Override
  public long workspaceBytes(KernelSignature signature) {
    return hasWholeBytes(signature) ? 0 : unpacking.workspaceBytes(signature);
  }

  /** Smaller slices may end within a byte. */
  @Override
  public long workspaceBytesUpTo(KernelSignature signature) {
    return unpacking.workspaceBytesUpTo(signature);
  }

  @Override
  public void run(KernelCall call) {
    if (hasWholeBytes(KernelSignature.of(call))) {
      CpuGather.gather(call);
    } else {
      unpacking.run(call);
    }
  }

  private static boolean hasWholeBytes(KernelSignature signature) {
    TensorType data = signature.input(0);
    int axis = AxisForm.ofParts(signature.attributes()).of(data.shape());
    return data.shape().elementCount(axis + 1, data.shape().rank()) % data.dtype().perByte() == 0;
  }
}
