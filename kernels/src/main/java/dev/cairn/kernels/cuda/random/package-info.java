/**
 * CUDA kernels that draw random numbers, and dropout.
 *
 * <p>Start at {@link dev.cairn.kernels.cuda.random.CudaRandom}.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.kernels.cuda.random;

import org.jspecify.annotations.NullMarked;
