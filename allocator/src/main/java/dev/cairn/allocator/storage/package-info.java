/**
 * What the runtime asks for memory by space.
 *
 * <p>Start at {@link dev.cairn.allocator.storage.StorageManager}: one allocator for each memory space, chosen by the
 * space. Any {@code Allocator} may stand in its table; three of MXNet's kind are made here, in which every block has a
 * region of its own ({@link dev.cairn.allocator.storage.RegionAllocator}):
 *
 * <ul>
 * <li>{@link dev.cairn.allocator.storage.NaiveStorageManager}: every call goes to the source. The reference.
 * <li>{@link dev.cairn.allocator.storage.PooledStorageManager}: what is freed serves the next request that a
 * {@link dev.cairn.allocator.storage.Rounding} brings to the same length.
 * <li>{@link dev.cairn.allocator.storage.UnpooledStorageManager}: the lengths and limits of a pool, but no pool.
 * </ul>
 *
 * <p>{@code RegionPerBlock} is their locked face, {@code Holdings} what it locks: {@code Slots} has every region, as a
 * {@code Chunk}; {@code IdleChunks} those that no block holds; {@code Figures} counts; {@code HoldingsCheck} has the
 * invariants, S1 to S8.
 *
 * <p>This package uses the root and {@code source}: the managers are allocators in their own right, which take regions
 * from a sub-allocator. To add a way of rounding, write another record in {@code Rounding}.
 */
@NullMarked
package dev.cairn.allocator.storage;

import org.jspecify.annotations.NullMarked;
