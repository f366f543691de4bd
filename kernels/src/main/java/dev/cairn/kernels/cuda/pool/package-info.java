/**
 * Pooling on CUDA, and its gradient.
 *
 * <p>Start at {@link dev.cairn.kernels.cuda.pool.CudaPool}.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.kernels.cuda.pool;

import org.jspecify.annotations.NullMarked;
