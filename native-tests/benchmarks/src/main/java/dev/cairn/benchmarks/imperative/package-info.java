/**
 * What calls on arrays cost: beside MXNet's imperative calls in the same process, and beside a session of the same
 * model.
 *
 * <p>Start at {@link dev.cairn.benchmarks.imperative.ImperativeBenchmark}. MXNet's library is no dependency: without it
 * the page says so, and the verdict is short.
 */
@NullMarked
package dev.cairn.benchmarks.imperative;

import org.jspecify.annotations.NullMarked;
