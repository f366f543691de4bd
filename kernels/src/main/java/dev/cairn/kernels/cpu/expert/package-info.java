/**
 * Kernels of layers of several experts, of which each token takes a few.
 *
 * <p>Start at {@link dev.cairn.kernels.cpu.expert.CpuExperts}.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.kernels.cpu.expert;

import org.jspecify.annotations.NullMarked;
