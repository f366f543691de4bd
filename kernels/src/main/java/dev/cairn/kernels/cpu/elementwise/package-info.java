/**
 * Kernels that compute each element by itself: functions of one, two and three operands, casts, and programs of
 * several such functions.
 *
 * <p>Start at {@link dev.cairn.kernels.cpu.elementwise.CpuElementwiseUnary} and its twin {@link
 * dev.cairn.kernels.cpu.elementwise.VectorElementwiseUnary}; {@link dev.cairn.kernels.cpu.access.LoopCopy} shows how
 * one loop serves many operators at full speed. {@link dev.cairn.kernels.cpu.elementwise.CpuFusedPointwise} runs a
 * program of several operators, block by block.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.kernels.cpu.elementwise;

import org.jspecify.annotations.NullMarked;
