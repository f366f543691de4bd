/**
 * How much memory BFC needs beyond what is live, over MiniMalloc's traces and variants of them.
 *
 * <p>Start at {@link dev.cairn.benchmarks.fragmentation.FragmentationBenchmark}. {@code PoolPolicies} is the list of
 * options that are compared, each as a fixed or a growing pool, and says which are judged; {@code NamedTrace} is a
 * trace, {@code TraceVariant} makes another one of it; {@code FixedPool} looks for the smallest pool that serves,
 * {@code GrowingPool} replays without a limit. {@code FragmentationVerdict} judges, {@code FragmentationPage} is the
 * text. Nothing here depends on time: the same sources give the same figures on every machine.
 */
@NullMarked
package dev.cairn.benchmarks.fragmentation;

import org.jspecify.annotations.NullMarked;
