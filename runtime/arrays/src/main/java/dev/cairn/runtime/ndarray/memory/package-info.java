/**
 * The memory that arrays lie in. An {@code ArrayDevice} has the kernels and the pool of one device, {@code
 * ArrayDevices} those of a runtime. {@link dev.cairn.runtime.ndarray.memory.ArrayMemory} chooses how a pool behaves,
 * {@code MemoryRoom} keeps programs from running ahead of its limit, {@code BudgetShare} lends its idle memory to
 * others, and {@code StreamTimeline} says when a GPU's streams are done with it. {@code Workspaces} keeps temporary
 * memory for kernels, {@code HostPlaces} page-locked and shared memory. {@code ArrayEngine} orders the uses, and says
 * whether the runtime is open.
 *
 * <p>Internal, but for {@code ArrayMemory}: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.runtime.ndarray.memory;

import org.jspecify.annotations.NullMarked;
