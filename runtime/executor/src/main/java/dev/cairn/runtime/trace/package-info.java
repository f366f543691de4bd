/**
 * Records the steps of runs and their times.
 *
 * <p>Start at {@link dev.cairn.runtime.trace.Tracer}, which keeps the latest runs. Each run has a {@link
 * dev.cairn.runtime.trace.RunObserver}; the executor reports to it when steps begin and end. A {@link
 * dev.cairn.runtime.trace.TracedGraph} has the facts known before the run, such as names and bytes. A {@link
 * dev.cairn.runtime.trace.Trace} has the measurements: runs, each with its {@link dev.cairn.runtime.trace.Span}s.
 * Package {@code flight} reports the same events to Java Flight Recorder. This package does not depend on graphs,
 * sessions or devices.
 */
@NullMarked
package dev.cairn.runtime.trace;

import org.jspecify.annotations.NullMarked;
