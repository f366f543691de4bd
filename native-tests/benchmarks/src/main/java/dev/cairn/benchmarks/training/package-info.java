/**
 * Training: how small iterations are planned, and what is learned.
 *
 * <p>Start at {@link dev.cairn.benchmarks.training.TrainingBenchmark} and {@link
 * dev.cairn.benchmarks.training.ConvergenceBenchmark}; {@code TrainingPage} is the page of either.
 */
@NullMarked
package dev.cairn.benchmarks.training;

import org.jspecify.annotations.NullMarked;
