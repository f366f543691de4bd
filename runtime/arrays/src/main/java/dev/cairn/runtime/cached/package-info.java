/**
 * Functions of arrays as planned graphs.
 *
 * <p>Start at {@link dev.cairn.runtime.cached.CachedOp}, which is called like the function that it was made of. {@link
 * dev.cairn.runtime.cached.Sketch} calls the function on arrays that have types and no elements, and writes down a
 * graph of what it applies. {@link dev.cairn.runtime.cached.BoundSymbol} is a symbol with
 * arrays for its variables. The rules have names, C-1 and so on: docs/arrays.md explains them.
 */
@NullMarked
package dev.cairn.runtime.cached;

import org.jspecify.annotations.NullMarked;
