/**
 * Exports a tracer's records for Perfetto and Chrome, and adds up times by step.
 *
 * <p>Start at {@link dev.cairn.runtime.report.profile.ProfileJson}, which turns records into events. {@code
 * ProfileTracks} assigns events to rows, and {@code TraceEventWriter} writes Chrome's trace event format. {@link
 * dev.cairn.runtime.report.profile.StepTimes} adds up the runs of each step. This package runs and records nothing.
 */
@NullMarked
package dev.cairn.runtime.report.profile;

import org.jspecify.annotations.NullMarked;
