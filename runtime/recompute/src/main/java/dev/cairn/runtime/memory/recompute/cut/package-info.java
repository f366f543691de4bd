/**
 * What must be saved at one moment of a run, as a minimum cut.
 *
 * <p>{@link dev.cairn.runtime.memory.recompute.cut.OneCut} says, for the moment at which a node first runs, what the
 * values that are needed later cost: saved, they take bytes; run again, they take time. {@link
 * dev.cairn.runtime.memory.recompute.cut.RecomputeBound} makes a bound of it that holds for every word. The search
 * starts from the same cuts.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.runtime.memory.recompute.cut;

import org.jspecify.annotations.NullMarked;
