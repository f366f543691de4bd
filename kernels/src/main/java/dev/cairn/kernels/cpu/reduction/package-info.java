/**
 * Kernels that reduce an axis, or compute along it: sums, extremes, their positions, softmax, cumulative sums.
 *
 * <p>Start at {@link dev.cairn.kernels.cpu.reduction.CpuReduce} and its twin {@link
 * dev.cairn.kernels.cpu.reduction.VectorReduce}; {@link dev.cairn.kernels.cpu.reduction.Reduction} has what they can
 * reduce with. {@link dev.cairn.kernels.cpu.reduction.CpuLineFunction} and {@link
 * dev.cairn.kernels.cpu.reduction.VectorSoftmax} compute along one axis and keep it. A vector kernel has two loops:
 * over neighbours of a line where the axis is the innermost one, and over lines beside each other where it is another.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.kernels.cpu.reduction;

import org.jspecify.annotations.NullMarked;
