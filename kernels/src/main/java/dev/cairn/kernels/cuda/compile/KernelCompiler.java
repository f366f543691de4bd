package dev.cairn.kernels.cuda.compile;

import java.util.List;

/**
 * Gives code for sources in CUDA C: {@link CudaCompiler} when it is asked for, {@link PrecompiledKernels} of what was
 * compiled when this library was built. Safe for use by many threads.
 */
public interface KernelCompiler {
  /**
   * Code that the driver can load.
   *
   * @param architecture of the device, {@code sm_90}
   * @param options to the compiler, without the architecture
   * @throws CompileFailure when the source is not as it should be
   * @throws NotPrecompiled when nothing can be compiled here, and this was not compiled before
   */
  byte[] compile(CudaProgram source, String architecture, List<String> options);

  /** Whether sources that are written while the program runs compile, too; where not, nothing can be fused. */
  boolean compilesAnything();
}
