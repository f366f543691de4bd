/**
 * Recomputation: a graph whose values don't fit runs some nodes again, instead of holding their values until they are
 * read.
 *
 * <p>Start at {@link dev.cairn.runtime.memory.recompute.RecomputeProblem}: an order problem, and what each node costs.
 * A <em>word</em> is a sequence of steps in which nodes may occur more than once; each occurrence after the first is a
 * <em>recomputation</em>. The values of one occurrence are a <em>version</em>, which lives from its step to its last
 * read. So the {@link dev.cairn.runtime.memory.recompute.Word} alone says what memory holds at every step. {@link
 * dev.cairn.runtime.memory.recompute.WordJudge} computes that and shares no code with the planners. {@code
 * memory.recompute.search} finds words: its {@code RecomputePlanner} returns a {@link
 * dev.cairn.runtime.memory.recompute.RecomputeAnswer} with a cost and a proved bound. {@code memory.recompute.cut}
 * proves bounds, and {@code memory.recompute.exact} solves small problems with proof.
 *
 * <p>Problems come from CSV files ({@link dev.cairn.runtime.memory.recompute.RecomputeCsv}), from layers ({@link
 * dev.cairn.runtime.memory.recompute.LayerRule}) or from code. See docs/recompute.md.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.runtime.memory.recompute;

import org.jspecify.annotations.NullMarked;
