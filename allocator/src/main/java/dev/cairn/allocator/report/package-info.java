/**
 * Turns figures and maps into words.
 *
 * <p>{@link dev.cairn.allocator.report.OccupancyStrip} draws a {@link dev.cairn.allocator.MemoryMap} in one line,
 * {@link dev.cairn.allocator.report.StatsText} writes {@link dev.cairn.allocator.AllocatorStats} for people. Works on
 * values only: no allocator is touched.
 */
@NullMarked
package dev.cairn.allocator.report;

import org.jspecify.annotations.NullMarked;
