/**
 * The cheapest word of a small problem, with proof: {@link
 * dev.cairn.runtime.memory.recompute.exact.ResidentSetSearch} walks over sets of resident values. It also checks, in
 * tests, what bounds and searches say.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.runtime.memory.recompute.exact;

import org.jspecify.annotations.NullMarked;
