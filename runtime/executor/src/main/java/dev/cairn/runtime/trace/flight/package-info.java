/**
 * Models and runs as events of Java Flight Recorder: {@code cairn.ModelLoad}, {@code cairn.Plan}, {@code cairn.Run},
 * {@code cairn.Kernel} and {@code cairn.Copy}.
 *
 * <p>Start at {@link dev.cairn.runtime.trace.flight.FlightEvents}. Names and fields of events are what recordings keep:
 * they stay. While the JVM has no flight recorder, none of the events' classes is loaded, and finding that out is all
 * that a run pays.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.runtime.trace.flight;

import org.jspecify.annotations.NullMarked;
