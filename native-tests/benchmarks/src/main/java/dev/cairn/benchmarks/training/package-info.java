/**
 * Training: how small iterations are planned, and how long they take.
 *
 * <p>Start at {@link dev.cairn.benchmarks.training.TrainingBenchmark}.
 */
@NullMarked
package dev.cairn.benchmarks.training;

import org.jspecify.annotations.NullMarked;
