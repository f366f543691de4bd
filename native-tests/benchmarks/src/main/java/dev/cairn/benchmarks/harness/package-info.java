/**
 * What benchmarks share.
 *
 * <p>Start at {@link dev.cairn.benchmarks.harness.Benchmark}: options in, a table on standard output, {@link
 * dev.cairn.benchmarks.harness.Outcome} out. A {@link dev.cairn.benchmarks.harness.Sample} is several measurements of
 * one thing, {@link dev.cairn.benchmarks.harness.Rounds} let several things take turns, {@link
 * dev.cairn.benchmarks.harness.SteadyRounds} while the machine stays as it is, which for threads that hand things to
 * each other a {@link dev.cairn.benchmarks.harness.CacheLineTrip} tells; a {@link
 * dev.cairn.benchmarks.harness.ChildJvm} is a process of their own for what must not disturb or be disturbed, a {@link
 * dev.cairn.benchmarks.harness.TemporaryFolder} a place for its files. Nothing here knows what is measured.
 */
@NullMarked
package dev.cairn.benchmarks.harness;

import org.jspecify.annotations.NullMarked;
