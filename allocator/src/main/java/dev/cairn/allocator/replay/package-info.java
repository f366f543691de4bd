/**
 * "What if": a trace replayed over allocators of other policies.
 *
 * <p>Start at {@link dev.cairn.allocator.replay.TraceReplay}: it drives an allocator over a source that has addresses
 * only, and tells what the trace would have taken. {@link dev.cairn.allocator.replay.ReplayPolicies} is the list of
 * policies; to add one, add a line. {@link dev.cairn.allocator.replay.SmallestPool} looks for the least limit under
 * which a policy serves a trace.
 *
 * <p>A trace is replayed as it was recorded: in one order, whatever threads it came from. Placing a recorded trace
 * ahead of time, with all its future known, is a planner's work and not done here.
 */
@NullMarked
package dev.cairn.allocator.replay;

import org.jspecify.annotations.NullMarked;
