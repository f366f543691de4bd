/**
 * Traces of the requests to an allocator, in order: recorded, or read from files.
 *
 * <p>Start at {@link dev.cairn.allocator.trace.AllocationTrace}, a trace as plain arrays: the allocated and freed
 * blocks, and their sizes. {@link dev.cairn.allocator.trace.TraceRecorder} listens to any allocator and writes RMM's
 * log; {@link dev.cairn.allocator.trace.RmmCsv} reads such logs, RMM's own or ours; {@link
 * dev.cairn.allocator.trace.MiniMallocCsv} reads planners' problems. To add a format, write a reader that feeds a
 * {@link dev.cairn.allocator.trace.TraceBuilder}.
 *
 * <p>A trace has no addresses; a replay computes them.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.allocator.trace;

import org.jspecify.annotations.NullMarked;
