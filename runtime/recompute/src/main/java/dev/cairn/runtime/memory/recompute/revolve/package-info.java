/**
 * Revolve, after Griewank and Walther 2000, to compare with: {@link
 * dev.cairn.runtime.memory.recompute.revolve.RevolveWord} runs the stages of a chain as rarely as its checkpoints
 * allow. {@link dev.cairn.runtime.memory.recompute.revolve.LinearTraining} knows from its closed form the least cost of
 * plain chains.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.runtime.memory.recompute.revolve;

import org.jspecify.annotations.NullMarked;
