/**
 * MXNet's mirroring, to compare with: {@link dev.cairn.runtime.memory.recompute.mirror.MirroredNodes} chooses the
 * forward nodes that gradients run again.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.runtime.memory.recompute.mirror;

import org.jspecify.annotations.NullMarked;
