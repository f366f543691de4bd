/**
 * Kernels in CUDA C.
 *
 * <p>Start at {@link dev.cairn.kernels.cuda.kernel.CudaKernel}. It prepares a {@link
 * dev.cairn.kernels.cuda.kernel.Launch} for each call, once. A {@link dev.cairn.kernels.cuda.kernel.KernelLibrary}
 * compiles the launched function for one element type, from the sources in {@code src/main/cuda}, which has one file
 * for each family. A {@link dev.cairn.kernels.cuda.kernel.BroadcastWalk} gives the positions of operands that
 * broadcast. Fused programs have no source file: {@link dev.cairn.kernels.cuda.kernel.CudaFusedPointwise} generates
 * one, and {@link dev.cairn.kernels.cuda.kernel.CudaFusedProduct} generates one around a source of products. The rows
 * of these kernels are in {@code kernels.row}.
 *
 * <p>If cuDNN is installed, convolutions are autotuned. {@link dev.cairn.kernels.cuda.kernel.MeasuredConvolution}
 * collects the candidates. {@code ConvolutionContest} measures them over {@code TrialOperands} and compares a {@code
 * ResultSample} of each. {@link dev.cairn.kernels.cuda.kernel.ChosenKernels} keeps the choice.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.kernels.cuda.kernel;

import org.jspecify.annotations.NullMarked;
