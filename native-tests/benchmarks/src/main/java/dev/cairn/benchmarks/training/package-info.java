/**
 * Training: how small iterations are planned, and what is learned.
 *
 * <p>Start at {@link dev.cairn.benchmarks.training.TrainingBenchmark} and {@link
 * dev.cairn.benchmarks.training.ConvergenceBenchmark}.
 */
@NullMarked
package dev.cairn.benchmarks.training;

import org.jspecify.annotations.NullMarked;
