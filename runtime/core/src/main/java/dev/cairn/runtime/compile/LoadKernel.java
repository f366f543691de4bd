package dev.cairn.runtime.compile;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.memory.recompute.LoadOperator;
import java.util.EnumSet;

/** The kernel of a step that copies a constant from the host's memory: an executor copies in its place. */
public enum LoadKernel implements Kernel {
  INSTANCE;

  static final KernelRow ROW = new KernelRow(LoadOperator.NAME, KernelRow.Twin.CUDA, KernelRow.Decides.FIRST_INPUT,
    EnumSet.allOf(DType.class), INSTANCE);

  @Override
  public void run(KernelCall call) {
    throw new UnsupportedOperationException("an executor copies");
  }
}
