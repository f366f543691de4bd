/**
 * Runs that are repeated with one call instead of one for each step.
 *
 * <p>Start at {@link dev.cairn.runtime.executor.replay.RunRecorder}: what an executor gives to its streams is recorded
 * once, and the {@link dev.cairn.runtime.executor.replay.Recording} launched from then on. That works because all
 * addresses of an executor are fixed. {@link dev.cairn.runtime.executor.replay.CudaGraphReplay} records with CUDA's
 * stream capture; a {@link dev.cairn.runtime.executor.replay.ReplayCache} keeps the recordings of the input shapes that
 * were run last.
 */
@NullMarked
package dev.cairn.runtime.executor.replay;

import org.jspecify.annotations.NullMarked;
