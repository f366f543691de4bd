/**
 * How good Cairn is, in figures: each benchmark makes one table with one command and ends with one line that says
 * whether its goals are reached.
 *
 * <p>Start at {@link dev.cairn.benchmarks.Main}, which knows all benchmarks by name; {@code
 * native-tests/benchmarks/run.sh NAME} builds and starts it. {@code harness} is what benchmarks share: the contract,
 * samples and their medians, processes of their own, tables; {@code models}, {@code allocator},
 * {@code planning}, {@code engine}, {@code imperative}, {@code gpu}, {@code training}, {@code recompute} and
 * {@code busy} are the benchmarks. To add one, write a package with a class that implements {@link
 * dev.cairn.benchmarks.harness.Benchmark}, and add it to the list in {@code Main}. No test here looks at a time.
 */
@NullMarked
package dev.cairn.benchmarks;

import org.jspecify.annotations.NullMarked;
