/**
 * Kernels that draw random numbers, and dropout.
 *
 * <p>Start at {@link dev.cairn.kernels.cpu.random.CpuRandom}. {@link dev.cairn.kernels.cpu.random.PhiloxGenerator}
 * gives each element its number from seed and position, so that results do not depend on the number of threads.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.kernels.cpu.random;

import org.jspecify.annotations.NullMarked;
