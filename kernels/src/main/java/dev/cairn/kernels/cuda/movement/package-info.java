/**
 * CUDA kernels that move elements, and those that write what the host knows beforehand.
 *
 * <p>Start at {@link dev.cairn.kernels.cuda.movement.CudaIdentity}. {@link
 * dev.cairn.kernels.cuda.movement.CudaStridedCopies} has the operators that are strided copies.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.kernels.cuda.movement;

import org.jspecify.annotations.NullMarked;
