/**
 * Matrix products on a CUDA device.
 *
 * <p>Start at {@link dev.cairn.kernels.cuda.blas.GemmCall}, a product of row-major matrices prepared once. {@link
 * dev.cairn.kernels.cuda.blas.Cublas} runs it with cuBLAS; where that library is missing, kernels of our own multiply
 * ({@code gemm.cu}).
 */
@NullMarked
package dev.cairn.kernels.cuda.blas;

import org.jspecify.annotations.NullMarked;
