/**
 * Sources of raw memory regions.
 *
 * <p>Start at {@link dev.cairn.allocator.source.SubAllocator}: it allocates and frees a few large {@link
 * dev.cairn.allocator.source.Region}s. {@link dev.cairn.allocator.source.NettySubAllocator} provides host memory.
 * {@link dev.cairn.allocator.source.FakeSubAllocator} provides addresses without memory, so that tests can use
 * terabytes. There are three sources of CUDA memory: {@link dev.cairn.allocator.source.CudaSubAllocator} uses plain
 * device memory, {@link dev.cairn.allocator.source.CudaVirtualSubAllocator} maps pages into one range of addresses, so
 * that a pool grows in one piece, and {@link dev.cairn.allocator.source.PinnedSubAllocator} uses page-locked host
 * memory. {@link dev.cairn.allocator.source.AllocatorSource} takes regions from another allocator. The fake is here and
 * not among the tests, because other modules' tests use it.
 *
 * <p>This package does not depend on chunks or bins. To add a source, write one class and test it with {@code
 * SubAllocatorContract}.
 */
@NullMarked
package dev.cairn.allocator.source;

import org.jspecify.annotations.NullMarked;
