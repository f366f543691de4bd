package dev.cairn.kernels.cuda.compile;

import java.util.List;

/**
 * Returns code for sources in CUDA C. {@link CudaCompiler} compiles them at run time; {@link PrecompiledKernels} has
 * the code that was compiled when this library was built. Thread-safe.
 */
public interface KernelCompiler {
  /**
   * Returns code that the driver can load.
   *
   * @param architecture the architecture of the device, {@code sm_90}
   * @param options options of the compiler, without the architecture
   * @throws CompileFailure if the source has errors
   * @throws NotPrecompiled if there is no compiler at run time, and the source was not compiled at build time
   */
  byte[] compile(CudaProgram source, String architecture, List<String> options);

  /** Whether it also compiles sources that Cairn generates at run time. If not, fusion is not possible. */
  boolean compilesAnything();
}
