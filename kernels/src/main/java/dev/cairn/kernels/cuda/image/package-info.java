/**
 * CUDA kernels over images: resizing, sampling at grids.
 *
 * <p>Start at {@link dev.cairn.kernels.cuda.image.CudaResize}.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.kernels.cuda.image;

import org.jspecify.annotations.NullMarked;
