/**
 * Recomputation: what fitting a budget costs, on published graphs and in training iterations that run, against proved
 * bounds, the best words known, and the rules of other systems.
 *
 * <p>Start at {@link dev.cairn.benchmarks.recompute.RecomputeBenchmark}, which lists the tables.
 */
@NullMarked
package dev.cairn.benchmarks.recompute;

import org.jspecify.annotations.NullMarked;
