/**
 * What happened in runs, and when: recorded while they run, read afterwards.
 *
 * <p>Start at {@link dev.cairn.runtime.trace.Tracer}, which keeps the last runs. An executor tells a
 * {@link dev.cairn.runtime.trace.RunObserver} when steps begin and end; one is made for each run. What is known before
 * the run, names and bytes, is in a {@link dev.cairn.runtime.trace.TracedGraph}; what was measured comes out as a
 * {@link dev.cairn.runtime.trace.Trace}: runs, each with its {@link dev.cairn.runtime.trace.Span}s. Package
 * {@code flight} tells the same to Java Flight Recorder. Nothing here knows of graphs, sessions or devices.
 */
@NullMarked
package dev.cairn.runtime.trace;

import org.jspecify.annotations.NullMarked;
