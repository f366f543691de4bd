/**
 * CUDA kernels that reduce an axis, or compute along it: sums, extremes, their positions, softmax, cumulative sums.
 *
 * <p>Start at {@link dev.cairn.kernels.cuda.reduction.CudaReduce}.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.kernels.cuda.reduction;

import org.jspecify.annotations.NullMarked;
