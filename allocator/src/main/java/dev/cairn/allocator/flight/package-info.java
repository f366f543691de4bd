/**
 * Reports an allocator's events to Java Flight Recorder, and remembers the latest for out-of-memory reports.
 *
 * <p>Start at {@link dev.cairn.allocator.flight.FlightListener}, a listener for an allocator. Each of the other classes
 * is one event: {@code cairn.Allocation} (sampled), {@code cairn.ArenaGrow}, {@code cairn.ArenaShrink} and {@code
 * cairn.OutOfMemory}. Recordings contain their names and fields, so these must not change.
 *
 * <p>{@link dev.cairn.allocator.flight.RecentEvents} remembers the latest events for reports of failed requests.
 *
 * <p>The event classes are loaded only if the JVM has a flight recorder.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.allocator.flight;

import org.jspecify.annotations.NullMarked;
