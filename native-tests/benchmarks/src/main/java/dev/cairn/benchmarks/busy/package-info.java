/**
 * A machine that does other work: what threads that wait for one another cost there.
 *
 * <p>Start at {@link dev.cairn.benchmarks.busy.BusyBenchmark}.
 */
@NullMarked
package dev.cairn.benchmarks.busy;

import org.jspecify.annotations.NullMarked;
