/**
 * Losses over classes, and their gradients.
 *
 * <p>Start at {@link dev.cairn.kernels.cpu.loss.CpuClassLoss}.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.kernels.cpu.loss;

import org.jspecify.annotations.NullMarked;
