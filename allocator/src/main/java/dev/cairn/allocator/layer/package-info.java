/**
 * Layers: allocators that wrap another allocator and add one feature. Session options turn them on.
 *
 * <p>{@link dev.cairn.allocator.layer.ReservingAllocator} gives each block its own region. {@link
 * dev.cairn.allocator.layer.TrimmingAllocator} returns idle memory in the background. {@link
 * dev.cairn.allocator.layer.GuardingAllocator} puts red zones around blocks. It must be the innermost layer, because it
 * makes its own blocks; other layers pass on their upstream's.
 *
 * <p>A layer owns its upstream and closes it, unless its Javadoc says otherwise.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.allocator.layer;

import org.jspecify.annotations.NullMarked;
