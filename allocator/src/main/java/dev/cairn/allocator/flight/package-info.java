/**
 * What an allocator does, as events of Java Flight Recorder, and the last of it for a report.
 *
 * <p>Start at {@link dev.cairn.allocator.flight.FlightListener}, which an allocator is given as its listener; the other
 * classes are the events, one each: {@code cairn.Allocation} (sampled), {@code cairn.ArenaGrow}, {@code
 * cairn.ArenaShrink} and {@code cairn.OutOfMemory}. Their names and fields are what recordings keep: they stay.
 *
 * <p>{@link dev.cairn.allocator.flight.RecentEvents} remembers the last events for whoever is told of a refusal.
 *
 * <p>While the JVM has no flight recorder, none of the events' classes is loaded.
 */
@NullMarked
package dev.cairn.allocator.flight;

import org.jspecify.annotations.NullMarked;
