/**
 * What the allocators are made to do: JMH's benchmarks, one class a workload.
 *
 * <p>An {@code ArenaState} has a new arena for each trial; a workload does {@code operations} of its operations at each
 * invocation, the same ones for every arena, so that an invocation takes long enough to be timed as a whole. {@code
 * LiveChunks} and {@code IsolatedChunks} are states of an arena that several measurements begin with. Nothing here
 * knows how often it is run, or what for.
 */
@NullMarked
package dev.cairn.benchmarks.allocator.workload;

import org.jspecify.annotations.NullMarked;
