/**
 * CUDA kernels over quantised numbers: quantising and its inverse, products, convolutions and functions of bytes.
 *
 * <p>Start at {@link dev.cairn.kernels.cuda.quantized.CudaQuantize} and {@link
 * dev.cairn.kernels.cuda.quantized.CudaIntegerMatmul}.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.kernels.cuda.quantized;

import org.jspecify.annotations.NullMarked;
