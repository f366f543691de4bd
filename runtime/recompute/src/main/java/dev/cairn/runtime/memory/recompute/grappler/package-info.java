/**
 * Recomputation as TensorFlow's memory optimizer does it, on a small graph of its own: {@link
 * dev.cairn.runtime.memory.recompute.grappler.GrapplerGraph} in, the same graph with copies and triggers out of {@link
 * dev.cairn.runtime.memory.recompute.grappler.GrapplerRecompute}. Names, orders and quirks are upstream's, so that
 * results compare to the letter. {@link dev.cairn.runtime.memory.recompute.grappler.GrapplerProblem} applies the passes
 * to a problem of Cairn's.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.runtime.memory.recompute.grappler;

import org.jspecify.annotations.NullMarked;
