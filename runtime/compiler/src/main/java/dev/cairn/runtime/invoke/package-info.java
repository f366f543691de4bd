/**
 * One use of an operator outside a plan: which types come out, which kernel runs, how much scratch memory it needs.
 *
 * <p>Start at {@link dev.cairn.runtime.invoke.DispatchTable}. An {@link dev.cairn.runtime.invoke.OperatorUse} has the
 * operator, its attributes, and the types and known values of its operands. The table answers with a {@link
 * dev.cairn.runtime.invoke.Dispatch}, and remembers the answers, with kernels that are prepared for the next call. This
 * package asks no allocator for memory and knows neither arrays nor graphs of nodes, so that everything that runs
 * single operators can use it.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.runtime.invoke;

import org.jspecify.annotations.NullMarked;
