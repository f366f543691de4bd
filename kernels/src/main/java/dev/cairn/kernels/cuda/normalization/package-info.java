/**
 * Normalisation on CUDA over batches, groups, instances, rows and neighbouring channels, and gradients.
 *
 * <p>Start at {@link dev.cairn.kernels.cuda.normalization.CudaLayerNormalization}; {@link
 * dev.cairn.kernels.cuda.normalization.CudaPlanes} has operators on planes and channels.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.kernels.cuda.normalization;

import org.jspecify.annotations.NullMarked;
