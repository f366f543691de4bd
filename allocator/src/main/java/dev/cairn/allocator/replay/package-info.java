/**
 * Replays a trace with other allocator policies.
 *
 * <p>Start at {@link dev.cairn.allocator.replay.TraceReplay}: it runs an allocator over a source with addresses only,
 * and reports the memory that the trace would need. {@link dev.cairn.allocator.replay.ReplayPolicies} is the list of
 * policies; to add one, add a line. {@link dev.cairn.allocator.replay.SmallestPool} finds the smallest limit with which
 * a policy serves a trace.
 *
 * <p>A replay keeps the recorded order, whatever threads the events came from. Placing a whole trace ahead of time is a
 * planner's task, not this package's.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.allocator.replay;

import org.jspecify.annotations.NullMarked;
