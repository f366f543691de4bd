/**
 * Cairn's dependency engine beside MXNet's, in one process, in turns.
 *
 * <p>Start at {@link dev.cairn.benchmarks.engine.EngineBenchmark}, which has the list of tables; each is one class. A
 * {@code Contestant} is an engine as a {@code Workload} is run on it: loops of pushes, each engine's own, so that none
 * pays for being called through an interface. MXNet's library is no dependency: who wants the comparison fetches it and
 * says where it lies, and without it the verdict is short. What is fair is said in {@code docs/benchmarks/README.md}.
 */
@NullMarked
package dev.cairn.benchmarks.engine;

import org.jspecify.annotations.NullMarked;
