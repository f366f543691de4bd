/**
 * How kernels on the processor reach the elements of a tensor, whatever their type and order in memory.
 *
 * <p>Start at {@link dev.cairn.kernels.cpu.access.Elements}, which reads and writes blocks of any element type as
 * {@code double} or {@code long}. A kernel that only moves elements describes source and target as {@link
 * dev.cairn.kernels.cpu.access.Strided} walks, which {@link dev.cairn.kernels.cpu.access.StridedCopy} copies. {@link
 * dev.cairn.kernels.cpu.access.Broadcast} aligns the shapes of operands, {@link
 * dev.cairn.kernels.cpu.access.LinesAlong} walks along one axis. {@link dev.cairn.kernels.cpu.access.HalfStorage} and
 * {@link dev.cairn.kernels.cpu.access.PackedStorage} let a kernel serve tensors whose elements have 16 bits, or fewer
 * than 8.
 *
 * <p>{@link dev.cairn.kernels.cpu.access.BlockLoop} maps and joins such blocks, with a copy of its loop for each
 * operator, which {@link dev.cairn.kernels.cpu.access.LoopCopy} makes.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.kernels.cpu.access;

import org.jspecify.annotations.NullMarked;
