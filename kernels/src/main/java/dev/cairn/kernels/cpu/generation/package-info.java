/**
 * Kernels that write a tensor from a few numbers: constants of a shape, ranges, identities, one-hot
 * vectors.
 *
 * <p>Start at {@link dev.cairn.kernels.cpu.generation.CpuRange}.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.kernels.cpu.generation;

import org.jspecify.annotations.NullMarked;
