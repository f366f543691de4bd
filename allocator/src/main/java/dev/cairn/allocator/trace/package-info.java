/**
 * What was asked of an allocator, in order: recorded, or read from files.
 *
 * <p>Start at {@link dev.cairn.allocator.trace.AllocationTrace}, a run in memory as plain arrays: which block came or
 * went, and how long each is. {@link dev.cairn.allocator.trace.TraceRecorder} listens to any allocator and writes RMM's
 * log; {@link dev.cairn.allocator.trace.RmmCsv} reads such logs, RMM's own or ours; {@link
 * dev.cairn.allocator.trace.MiniMallocCsv} reads planners' problems. To add a format, write a reader that feeds a
 * {@link dev.cairn.allocator.trace.TraceBuilder}.
 *
 * <p>A trace has no addresses: where blocks come to lie is what a replay finds out.
 */
@NullMarked
package dev.cairn.allocator.trace;

import org.jspecify.annotations.NullMarked;
