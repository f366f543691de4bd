/**
 * Formats statistics, memory maps and failures as text.
 *
 * <p>{@link dev.cairn.allocator.report.OomReport} explains a failed request on one screen: the cause, the owners of the
 * memory, the blocks to release ({@link dev.cairn.allocator.report.ReleasingSet}) and the remedies. {@link
 * dev.cairn.allocator.report.MapSummary} summarises a memory map with an {@link
 * dev.cairn.allocator.report.OccupancyStrip} and {@link dev.cairn.allocator.report.BinRow}s. {@link
 * dev.cairn.allocator.report.MemoryMapText} writes every chunk of a {@link dev.cairn.allocator.MemoryMap}. {@link
 * dev.cairn.allocator.report.StatsText} formats {@link dev.cairn.allocator.AllocatorStats}.
 *
 * <p>This package works on values and never calls an allocator. It escapes control characters in names of owners.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.allocator.report;

import org.jspecify.annotations.NullMarked;
