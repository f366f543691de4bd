/**
 * Exact search: the smallest plan of a problem of up to some thousand buffers, or the proof that none fits.
 *
 * <p>Start at {@link dev.cairn.runtime.memory.planner.search.SearchPlanner}, which begins with what {@code improve}
 * finds; {@link dev.cairn.runtime.memory.planner.search.ExactSearch} is the search by itself. It splits a problem into
 * {@code Part}s that share nothing ({@code Parts}, {@code Sections}); {@code DeviceSearch} takes the parts of a device
 * by turns, and {@code PartSearch} makes attempts at one, each with its capacity, its nodes and its {@code Strategy}: a
 * {@code SectionChoice} and an {@code ItemOrder}. {@code DepthFirstSearch} is one attempt. It builds a {@code Skyline}
 * from the bottom up, takes steps back by its {@code Trail}, and remembers {@code FailedStates}.
 */
@NullMarked
package dev.cairn.runtime.memory.planner.search;

import org.jspecify.annotations.NullMarked;
