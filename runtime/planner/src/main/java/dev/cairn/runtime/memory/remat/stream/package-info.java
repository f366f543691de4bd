/**
 * Streamed weights: a model whose weights don't fit copies some of them from the host's memory in each run.
 *
 * <p>Start at {@link dev.cairn.runtime.memory.remat.stream.StreamPlanner}. A <em>copy</em> brings one weight to a slot
 * before the first step that reads it; the slot is free after the last. Copies run beside the steps, one after the
 * other. Weights that are not streamed are <em>resident</em>. Numbers alone are known here, no graphs.
 */
@NullMarked
package dev.cairn.runtime.memory.remat.stream;

import org.jspecify.annotations.NullMarked;
