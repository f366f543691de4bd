/**
 * Layers: allocators over an allocator, each of which adds one thing. None costs anything where it isn't used, and the
 * blocks that they hand on are the upstream's.
 *
 * <p>Who may have how much: {@link dev.cairn.allocator.layer.TenantQuotas} with its
 * {@link dev.cairn.allocator.layer.Tenant}s. What to do when memory is short:
 * {@link dev.cairn.allocator.layer.RelievingAllocator} asks others to give some up,
 * {@link dev.cairn.allocator.layer.RetryingAllocator} waits for it, fairly, and finds deadlocks. Giving memory back
 * in time: {@link dev.cairn.allocator.layer.TrimmingAllocator}. Watching:
 * {@link dev.cairn.allocator.layer.ListeningAllocator}. Hunting bugs:
 * {@link dev.cairn.allocator.layer.GuardingAllocator}.
 *
 * <p>Their order is the business of {@code dev.cairn.allocator.stack}. Every layer owns its upstream: closing it
 * closes both.
 */
@NullMarked
package dev.cairn.allocator.layer;

import org.jspecify.annotations.NullMarked;
