/**
 * CUDA C sources and their compilation, at run time or at build time.
 *
 * <p>Start at {@link dev.cairn.kernels.cuda.compile.CudaCompiler}. With NVRTC it compiles a {@link
 * dev.cairn.kernels.cuda.compile.CudaProgram} to code for one architecture, unless a {@link
 * dev.cairn.kernels.cuda.compile.CompiledKernelCache} has the code from an earlier run. Without NVRTC, {@link
 * dev.cairn.kernels.cuda.compile.PrecompiledKernels} are used, which {@link dev.cairn.kernels.cuda.compile.Nvcc}
 * compiled at build time.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.kernels.cuda.compile;

import org.jspecify.annotations.NullMarked;
