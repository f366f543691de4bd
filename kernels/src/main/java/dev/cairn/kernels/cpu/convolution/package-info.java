/**
 * Convolutions, transposed and deformable ones, and their gradients.
 *
 * <p>Start at {@link dev.cairn.kernels.cpu.convolution.CpuConvolution} and its twin {@link
 * dev.cairn.kernels.cpu.convolution.VectorConvolution}, which makes a convolution a product of {@link
 * dev.cairn.kernels.cpu.convolution.ConvolutionOperands}, or leaves it to {@link
 * dev.cairn.kernels.cpu.convolution.DepthwiseConvolution}. {@link dev.cairn.kernels.cpu.convolution.ImageWindow} has
 * the arithmetic of windows over rows of an image.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.kernels.cpu.convolution;

import org.jspecify.annotations.NullMarked;
