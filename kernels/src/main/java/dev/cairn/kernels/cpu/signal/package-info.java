/**
 * Fourier transforms, windows and spectra of signals.
 *
 * <p>Start at {@link dev.cairn.kernels.cpu.signal.CpuSignal}; {@link dev.cairn.kernels.cpu.signal.FourierTransform}
 * transforms one line of any length, and {@link dev.cairn.kernels.cpu.signal.VectorFrameSpectra} short
 * frames.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.kernels.cpu.signal;

import org.jspecify.annotations.NullMarked;
