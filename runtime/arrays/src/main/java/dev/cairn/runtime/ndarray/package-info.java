/**
 * Arrays that compute at once, asynchronously, over the dependency engine.
 *
 * <p>Start at {@link dev.cairn.runtime.ndarray.ArrayRuntime}: it makes {@link dev.cairn.runtime.ndarray.NDArray}s.
 * An array is a hold on bytes, with a runtime and an owner: an {@link dev.cairn.runtime.ndarray.ArrayScope}, which
 * closes the arrays that were made while it was open, or the caller. What it computes is a call of the room {@code
 * call}, over bytes of the room {@code storage}, in memory of the room {@code memory}. {@code ArrayText} prints. The
 * rules have names, A-1 and so on: docs/arrays.md explains them.
 *
 * <p>Tapes and sketches, in packages above, follow the calls of a thread by {@link
 * dev.cairn.runtime.ndarray.FollowedCalls}. An array's {@link dev.cairn.runtime.ndarray.TapePlace} says where it stands
 * for gradients.
 */
@NullMarked
package dev.cairn.runtime.ndarray;

import org.jspecify.annotations.NullMarked;
