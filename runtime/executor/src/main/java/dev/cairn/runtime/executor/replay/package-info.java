/**
 * Repeats whole runs with one call instead of one for each step.
 *
 * <p>Start at {@link dev.cairn.runtime.executor.replay.RunRecorder}: it records an executor's work on its streams once,
 * and launches the {@link dev.cairn.runtime.executor.replay.Recording} from then on. This works because an executor's
 * addresses are fixed. {@link dev.cairn.runtime.executor.replay.CudaGraphReplay} records with CUDA's stream capture; a
 * {@link dev.cairn.runtime.executor.replay.ReplayCache} keeps the recordings of the latest input shapes.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.runtime.executor.replay;

import org.jspecify.annotations.NullMarked;
