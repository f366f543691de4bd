package dev.cairn.runtime.compile;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.memory.analysis.HostCopies;
import java.util.EnumSet;

/** The kernel of a step that copies between a GPU and page-locked memory: an executor copies in its place. */
public enum CopyKernel implements Kernel {
  /** A constant to the device. */
  LOAD(HostCopies.LOAD),
  /** A result to the host. */
  OUT(HostCopies.OUT),
  /** A result back to the device. */
  IN(HostCopies.IN);

  private final String operator;

  CopyKernel(String operator) {
    this.operator = operator;
  }

  /** The row of the kernel, which no catalog has. */
  KernelRow row() {
    return new KernelRow(operator, KernelRow.Twin.CUDA, KernelRow.Decides.FIRST_INPUT, EnumSet.allOf(DType.class),
      this);
  }

  @Override
  public void run(KernelCall call) {
    throw new UnsupportedOperationException("an executor copies");
  }
}
