/**
 * Offload: values that wait long for their next read are copied to the host's memory, and back before it.
 *
 * <p>Start at {@link dev.cairn.runtime.memory.recompute.offload.OffloadPlanner}. A <em>move</em> is a copy out and a
 * copy in of one version of a value. Copies run beside the steps, one after the other in each direction; {@code
 * CopyTimeline} predicts how long steps wait for them. Numbers alone are known here, no graphs.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.runtime.memory.recompute.offload;

import org.jspecify.annotations.NullMarked;
