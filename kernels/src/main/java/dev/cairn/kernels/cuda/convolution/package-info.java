/**
 * Convolutions on CUDA: in CUDA C, with cuBLAS and with cuDNN.
 *
 * <p>Start at {@link dev.cairn.kernels.cuda.convolution.CudaConvolution}. If cuDNN is installed, convolutions are
 * autotuned. {@link dev.cairn.kernels.cuda.convolution.MeasuredConvolution} collects the candidates. {@code
 * ConvolutionContest} measures them over {@code TrialOperands} and compares a {@code ResultSample} of each. {@link
 * dev.cairn.kernels.cuda.convolution.ChosenKernels} keeps the choice.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.kernels.cuda.convolution;

import org.jspecify.annotations.NullMarked;
