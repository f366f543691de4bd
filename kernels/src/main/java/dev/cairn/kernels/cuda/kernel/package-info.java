/**
 * Kernels in CUDA C.
 *
 * <p>Start at {@link dev.cairn.kernels.cuda.kernel.CudaKernel}: it turns a call into a {@link
 * dev.cairn.kernels.cuda.kernel.Launch}, once, of a function that a {@link
 * dev.cairn.kernels.cuda.kernel.KernelLibrary} has compiled from one of the sources beside this library's classes
 * ({@code src/main/cuda}, one file a family), for one element type. Operands that stretch to a common shape are walked
 * through by a {@link dev.cairn.kernels.cuda.kernel.BroadcastWalk}. Programs of fused
 * operators have no source there: {@link dev.cairn.kernels.cuda.kernel.CudaFusedPointwise} has one generated, and
 * {@link dev.cairn.kernels.cuda.kernel.CudaFusedProduct} one around a source of products. The rows that name these
 * kernels are in {@code catalog.family}.
 *
 * <p>Where cuDNN is installed, convolutions are autotuned: {@link dev.cairn.kernels.cuda.kernel.MeasuredConvolution}
 * gathers the candidates, {@code ConvolutionContest} tries and times them over {@code TrialOperands}, compares a {@code
 * ResultSample} of each, and {@link dev.cairn.kernels.cuda.kernel.ChosenKernels} keeps what was chosen.
 *
 * <p>More than 30 files, because there is one kernel for each family of
 * operators, and what several kernels share is package-private.
 */
@NullMarked
package dev.cairn.kernels.cuda.kernel;

import org.jspecify.annotations.NullMarked;
