/**
 * Convolutions with cuDNN 9, if it is installed, called without JCuda.
 *
 * <p>Start at {@link dev.cairn.kernels.cuda.dnn.CudnnOnDemand}, which loads cuDNN on first use, and {@link
 * dev.cairn.kernels.cuda.dnn.Cudnn}, which is cuDNN on one device. A {@link
 * dev.cairn.kernels.cuda.dnn.ConvolutionProblem} is a convolution without its memory. cuDNN recommends algorithms for
 * it, and Cairn uses only deterministic ones. A {@link dev.cairn.kernels.cuda.dnn.ForwardConvolution} is a problem with
 * its algorithm, ready to run on streams. The caller passes in workspace: this package allocates no device memory.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.kernels.cuda.dnn;

import org.jspecify.annotations.NullMarked;
