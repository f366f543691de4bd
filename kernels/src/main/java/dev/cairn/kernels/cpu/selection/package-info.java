/**
 * Kernels that choose elements by value or by index: gather, scatter, largest elements, boxes, distinct slices.
 *
 * <p>Start at {@link dev.cairn.kernels.cpu.selection.CpuGather} and {@link
 * dev.cairn.kernels.cpu.selection.CpuScatter}. {@link dev.cairn.kernels.cpu.selection.CpuTopK} and its twin {@link
 * dev.cairn.kernels.cpu.selection.VectorTopK} choose the largest elements; {@link
 * dev.cairn.kernels.cpu.selection.CpuSelection} has the operators whose number of results depends on the values.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.kernels.cpu.selection;

import org.jspecify.annotations.NullMarked;
