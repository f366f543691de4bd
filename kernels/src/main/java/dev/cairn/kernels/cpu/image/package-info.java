/**
 * Kernels over images: resizing, sampling at grids, regions of interest.
 *
 * <p>Start at {@link dev.cairn.kernels.cpu.image.CpuResize} and its twin {@link
 * dev.cairn.kernels.cpu.image.VectorResize}; {@link dev.cairn.kernels.cpu.image.ResizeTaps} says which pixels make one
 * of the result, and with what weights. {@link dev.cairn.kernels.cpu.image.GridTaps} says the same of {@link
 * dev.cairn.kernels.cpu.image.CpuGridSample}.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.kernels.cpu.image;

import org.jspecify.annotations.NullMarked;
