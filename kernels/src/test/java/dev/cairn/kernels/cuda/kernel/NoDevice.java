package dev.cairn.kernels.cuda.kernel;

import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.cuda.compile.CudaProgram;
import dev.cairn.kernels.cuda.compile.KernelCompiler;
import dev.cairn.kernels.row.CudaKernels;
import java.util.List;

/** The rows of CUDA's kernels without a device: which operators they serve can be asked, their kernels can't run. */
public final class NoDevice {
  private NoDevice() {}

  @SuppressWarnings("NullAway") // Rows are made without using the device.
  public static KernelCatalog catalog() {
    return CudaKernels.catalog(new KernelLibrary(null, new KernelCompiler() {
      @Override
      public byte[] compile(CudaProgram source, String architecture, List<String> options) {
        throw new AssertionError("nothing runs here: source=" + source);
      }

      @Override
      public boolean compilesAnything() {
        return true;
      }
    }));
  }
}
