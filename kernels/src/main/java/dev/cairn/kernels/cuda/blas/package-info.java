/**
 * Matrix products on a CUDA device.
 *
 * <p>Start at {@link dev.cairn.kernels.cuda.blas.GemmCall}, a product of row-major matrices. {@link
 * dev.cairn.kernels.cuda.blas.Cublas} runs it with cuBLAS. Without that library, Cairn uses its own kernels ({@code
 * gemm.cu}).
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.kernels.cuda.blas;

import org.jspecify.annotations.NullMarked;
