/**
 * Products of matrices in CUDA C, and with cuBLAS.
 *
 * <p>Start at {@link dev.cairn.kernels.cuda.product.CudaMatmul}. A {@link dev.cairn.kernels.cuda.product.TilePlan}
 * divides a product into tiles and, where it is deep, into parts that are joined afterwards. An {@link
 * dev.cairn.kernels.cuda.product.Epilogue} is what the kernel does to each element of the product before it writes it.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.kernels.cuda.product;

import org.jspecify.annotations.NullMarked;
