/**
 * Turns figures and maps into words.
 *
 * <p>{@link dev.cairn.allocator.report.OomReport} says why a request could not be met, who holds the memory, which
 * blocks' release would be enough ({@link dev.cairn.allocator.report.ReleasingSet}) and what would help, on one screen.
 * {@link dev.cairn.allocator.report.MapSummary} is its part that needs no failure, with
 * {@link dev.cairn.allocator.report.OccupancyStrip} and {@link dev.cairn.allocator.report.BinRow};
 * {@link dev.cairn.allocator.report.MemoryMapText} writes every chunk of a {@link dev.cairn.allocator.MemoryMap}, and
 * {@link dev.cairn.allocator.report.StatsText} {@link dev.cairn.allocator.AllocatorStats} for people.
 *
 * <p>Works on values only: no allocator is touched. Names of owners are never trusted: what a terminal might obey is
 * escaped.
 */
@NullMarked
package dev.cairn.allocator.report;

import org.jspecify.annotations.NullMarked;
