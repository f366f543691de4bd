/**
 * What a tracer recorded, as a file that Perfetto and Chrome open, and as times by step.
 *
 * <p>Start at {@link dev.cairn.runtime.report.profile.ProfileJson}, which says what becomes which event;
 * {@code ProfileTracks} says in which row, and {@code TraceEventWriter} knows Chrome's trace event format.
 * {@link dev.cairn.runtime.report.profile.StepTimes} adds up the runs of each step. Values go in: nothing here runs or
 * records.
 */
@NullMarked
package dev.cairn.runtime.report.profile;

import org.jspecify.annotations.NullMarked;
