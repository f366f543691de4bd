/**
 * Kernels that move elements and compute nothing: concatenation, slices, padding, transposition, repetition.
 *
 * <p>Start at {@link dev.cairn.kernels.cpu.movement.CpuRepeat}, the smallest. {@link
 * dev.cairn.kernels.cpu.movement.VectorTranspose} hands the portable walk a faster copy of tiles.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.kernels.cpu.movement;

import org.jspecify.annotations.NullMarked;
