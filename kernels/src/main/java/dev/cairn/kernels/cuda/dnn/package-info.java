/**
 * Convolutions by cuDNN 9, where it is installed, called past JCuda.
 *
 * <p>Start at {@link dev.cairn.kernels.cuda.dnn.CudnnOnDemand}, which looks for it when it is first wanted, and {@link
 * dev.cairn.kernels.cuda.dnn.Cudnn}, one device's. A {@link dev.cairn.kernels.cuda.dnn.ConvolutionProblem} is a
 * convolution without its memory; cuDNN advises algorithms for it, of which those are passed on that give the same bits
 * each time; a {@link dev.cairn.kernels.cuda.dnn.ForwardConvolution} is one with an algorithm, ready to be put into
 * streams. Workspace is passed in: nothing here takes memory of the device.
 */
@NullMarked
package dev.cairn.kernels.cuda.dnn;

import org.jspecify.annotations.NullMarked;
