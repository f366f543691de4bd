/**
 * Layers: allocators over an allocator, each of which adds one thing. Options of a session turn them on.
 *
 * <p>{@link dev.cairn.allocator.layer.ReservingAllocator} gives each block a region of its own.
 * {@link dev.cairn.allocator.layer.TrimmingAllocator} gives idle memory back in the background.
 * {@link dev.cairn.allocator.layer.GuardingAllocator} puts red zones around blocks, and is the innermost layer: its
 * blocks are its own, while other layers hand on the upstream's.
 *
 * <p>Every layer owns its upstream, and closing it closes both, unless its Javadoc says otherwise.
 */
@NullMarked
package dev.cairn.allocator.layer;

import org.jspecify.annotations.NullMarked;
