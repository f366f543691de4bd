/**
 * Spectra of signals on CUDA.
 *
 * <p>Start at {@link dev.cairn.kernels.cuda.signal.CudaFrames}.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.kernels.cuda.signal;

import org.jspecify.annotations.NullMarked;
