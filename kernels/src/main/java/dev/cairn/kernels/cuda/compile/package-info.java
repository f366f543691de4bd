/**
 * CUDA C sources and their compilation, at run time or before.
 *
 * <p>Start at {@link dev.cairn.kernels.cuda.compile.CudaCompiler}: it turns a {@link
 * dev.cairn.kernels.cuda.compile.CudaProgram} into code for one architecture with NVRTC, unless a {@link
 * dev.cairn.kernels.cuda.compile.CompiledKernelCache} has it from an earlier run. Where
 * there is no NVRTC, {@link dev.cairn.kernels.cuda.compile.PrecompiledKernels} serve, which {@link
 * dev.cairn.kernels.cuda.compile.Nvcc} compiled when the library was built.
 */
@NullMarked
package dev.cairn.kernels.cuda.compile;

import org.jspecify.annotations.NullMarked;
