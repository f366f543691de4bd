/**
 * Attention on CUDA, and its gradient.
 *
 * <p>Start at {@link dev.cairn.kernels.cuda.attention.CudaAttention}.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.kernels.cuda.attention;

import org.jspecify.annotations.NullMarked;
