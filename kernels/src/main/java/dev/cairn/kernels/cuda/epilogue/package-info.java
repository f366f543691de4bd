/**
 * Products and convolutions on CUDA with a program of functions of elements behind them.
 *
 * <p>Start at {@link dev.cairn.kernels.cuda.epilogue.CudaFusedProduct}, which generates a source around a source of
 * products.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.kernels.cuda.epilogue;

import org.jspecify.annotations.NullMarked;
