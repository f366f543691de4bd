/**
 * Arrays that compute at once, asynchronously, over the dependency engine.
 *
 * <p>Start at {@link dev.cairn.runtime.ndarray.ArrayRuntime}: it makes {@link dev.cairn.runtime.ndarray.NDArray}s.
 * An array is an {@code ArrayRange} of an {@code ArrayStorage}: bytes that arrays share, with their engine
 * variable. {@code Invoker} turns a call into an {@code Invocation}, one operation of the engine that reads its
 * operands and writes its results, on every device. {@code Workspaces} keeps temporary memory for kernels. {@code
 * HostAccess} lets the caller read and write bytes in the engine's order. An {@link
 * dev.cairn.runtime.ndarray.ArrayScope} closes the arrays that were made while it was open. {@link
 * dev.cairn.runtime.ndarray.ArrayMemory} chooses the storage manager of each {@code ArrayDevice}. {@code DeviceCopies}
 * moves arrays between devices. {@code ArrayText} prints. {@code OpenState} says whether the runtime is open, and
 * {@code Refusals} makes the errors of refused calls. The rules have names, A-1 and so on: docs/arrays.md explains
 * them.
 *
 * <p>Tapes and sketches, in packages above, follow the calls of a thread by {@link
 * dev.cairn.runtime.ndarray.FollowedCalls}. An array's {@link dev.cairn.runtime.ndarray.TapePlace} says where it stands
 * for gradients.
 */
@NullMarked
package dev.cairn.runtime.ndarray;

import org.jspecify.annotations.NullMarked;
