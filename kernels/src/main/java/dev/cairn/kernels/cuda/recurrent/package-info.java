/**
 * Recurrent networks on CUDA.
 *
 * <p>Start at {@link dev.cairn.kernels.cuda.recurrent.CudaRecurrent}.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.kernels.cuda.recurrent;

import org.jspecify.annotations.NullMarked;
