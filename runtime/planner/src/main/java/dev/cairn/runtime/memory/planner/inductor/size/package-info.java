/**
 * Byte counts that depend on dimensions known only at run time, such as {@code 4*s0*s1 + align(4*s0*s0)}.
 *
 * <p>Start at {@link dev.cairn.runtime.memory.planner.inductor.size.SymbolicSize}: a sum of {@code Term}s, each a
 * number times {@link dev.cairn.runtime.memory.planner.inductor.size.Factor}s. A dimension has a <em>hint</em>, the
 * length it had when the program was compiled, or none (<em>unbacked</em>: known only once a kernel has run). All
 * values are immutable and in one canonical form, so that equal means equal for all dimensions.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.runtime.memory.planner.inductor.size;

import org.jspecify.annotations.NullMarked;
