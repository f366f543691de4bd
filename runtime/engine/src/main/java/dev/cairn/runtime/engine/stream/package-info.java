/**
 * Streams of devices: an {@code EngineStream} belongs to one worker, a {@code StreamMark} is a place in its order, and
 * {@code VariableMarks} say how far streams are with one variable. {@code DeviceStreams} opens and closes them.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.runtime.engine.stream;

import org.jspecify.annotations.NullMarked;
