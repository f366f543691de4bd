/**
 * Kernels over quantised numbers: quantising and its inverse, products, convolutions, pooling and functions of bytes.
 *
 * <p>Start at {@link dev.cairn.kernels.cpu.quantized.CpuQuantize} and {@link
 * dev.cairn.kernels.cpu.quantized.CpuIntegerMatmul}. Their twins are {@link
 * dev.cairn.kernels.cpu.quantized.VectorQuantize} and {@link dev.cairn.kernels.cpu.quantized.VectorIntegerMatmul};
 * {@link dev.cairn.kernels.cpu.quantized.PackedIntegerMatmul} multiplies packed weights where {@link
 * dev.cairn.kernels.cpu.quantized.IntegerProbe} finds that sums of bytes are exact. {@link
 * dev.cairn.kernels.cpu.quantized.CpuBlockedMatmul} and {@link dev.cairn.kernels.cpu.quantized.VectorBlockedMatmul}
 * have weights of few bits.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.kernels.cpu.quantized;

import org.jspecify.annotations.NullMarked;
