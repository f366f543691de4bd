/**
 * Streamed weights: a model whose weights do not fit copies some of them in each run, from the host's memory or a file.
 *
 * <p>Start at {@link dev.cairn.runtime.memory.recompute.stream.StreamPlanner}. A <em>copy</em> brings one weight to a
 * slot before the first step that reads it; the slot is free after the last. Copies run beside the steps, one after the
 * other. Weights that are not streamed are <em>resident</em>. Numbers alone are known here, no graphs.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.runtime.memory.recompute.stream;

import org.jspecify.annotations.NullMarked;
