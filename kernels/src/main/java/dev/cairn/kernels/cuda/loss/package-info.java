/**
 * Losses over classes on CUDA, and their gradients.
 *
 * <p>Start at {@link dev.cairn.kernels.cuda.loss.CudaClassLoss}.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.kernels.cuda.loss;

import org.jspecify.annotations.NullMarked;
