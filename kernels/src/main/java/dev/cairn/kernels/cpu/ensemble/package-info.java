/**
 * Ensembles of decision trees.
 *
 * <p>Start at {@link dev.cairn.kernels.cpu.ensemble.CpuTreeEnsemble}.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.kernels.cpu.ensemble;

import org.jspecify.annotations.NullMarked;
