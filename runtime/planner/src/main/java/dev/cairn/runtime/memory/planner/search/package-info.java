/**
 * Exact search: the smallest plan of a problem of up to a few thousand buffers, or a proof that none fits.
 *
 * <p>Start at {@link dev.cairn.runtime.memory.planner.search.SearchPlanner}, which begins with a plan of {@code
 * improve}; {@link dev.cairn.runtime.memory.planner.search.ExactSearch} is the search alone. It splits a problem into
 * independent {@code Part}s ({@code Parts}, {@code Sections}). {@code DeviceSearch} alternates between the parts of a
 * device. {@code PartSearch} makes several attempts at a part, each with a capacity, a node limit and a {@code
 * Strategy}: a {@code SectionChoice} and an {@code ItemOrder}. {@code DepthFirstSearch} is one attempt. It builds a
 * {@code Skyline} from the bottom up, backtracks with its {@code Trail}, and remembers {@code FailedStates}.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.runtime.memory.planner.search;

import org.jspecify.annotations.NullMarked;
