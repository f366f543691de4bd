/**
 * Storage managers: allocators by memory space.
 *
 * <p>Start at {@link dev.cairn.allocator.storage.StorageManager}: one allocator for each memory space. It accepts any
 * {@code Allocator}. This package has three allocators in MXNet's style, in which every block has its own region
 * ({@link dev.cairn.allocator.storage.RegionAllocator}):
 *
 * <ul>
 * <li>{@link dev.cairn.allocator.storage.NaiveStorageManager}: every call goes to the source. The reference.
 * <li>{@link dev.cairn.allocator.storage.PooledStorageManager}: a freed region serves the next request of the same
 * length after {@link dev.cairn.allocator.storage.Rounding}.
 * <li>{@link dev.cairn.allocator.storage.UnpooledStorageManager}: the lengths and limits of a pool, but no pool.
 * </ul>
 *
 * <p>{@code RegionPerBlock} adds a lock to {@code Holdings}: {@code Slots} has every region as a {@code Chunk}, {@code
 * IdleChunks} has the unused ones, {@code Figures} has the statistics, and {@code HoldingsCheck} has the invariants S1
 * to S8.
 *
 * <p>This package uses the root package and {@code source}: the managers are allocators that take regions from a
 * sub-allocator. To add a rounding rule, write another record in {@code Rounding}.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.allocator.storage;

import org.jspecify.annotations.NullMarked;
