/**
 * MXNet's mirroring, to compare with: {@link dev.cairn.runtime.memory.remat.mirror.MirroredNodes} chooses the forward
 * nodes that gradients run again.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.runtime.memory.remat.mirror;

import org.jspecify.annotations.NullMarked;
