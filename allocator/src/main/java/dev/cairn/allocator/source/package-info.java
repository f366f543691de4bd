/**
 * Where raw regions come from.
 *
 * <p>Start at {@link dev.cairn.allocator.source.SubAllocator}: it hands out whole {@link
 * dev.cairn.allocator.source.Region}s, large and seldom, and takes them back whole. {@link
 * dev.cairn.allocator.source.NettySubAllocator} has the host's memory, {@link
 * dev.cairn.allocator.source.FakeSubAllocator} has addresses and nothing behind them, so that everything above can be
 * tested with terabytes. The CUDA driver's memory comes three ways: {@link
 * dev.cairn.allocator.source.CudaSubAllocator} asks it plainly, {@link
 * dev.cairn.allocator.source.CudaVirtualSubAllocator} maps pages into one range of addresses so that a pool grows in
 * one piece, {@link dev.cairn.allocator.source.PinnedSubAllocator} has page-locked memory of the host. The fake lies
 * here, with the real ones, because the tests of other modules use it too.
 *
 * <p>Nothing here knows of chunks, bins or blocks. To add a source, write one class and let {@code
 * SubAllocatorContract} judge it.
 */
@NullMarked
package dev.cairn.allocator.source;

import org.jspecify.annotations.NullMarked;
