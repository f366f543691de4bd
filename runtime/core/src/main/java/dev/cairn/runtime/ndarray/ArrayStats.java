package dev.cairn.runtime.ndarray;

import dev.cairn.allocator.AllocatorStats;

/**
 * What the arrays of a runtime hold at one moment.
 *
 * @param storages pieces of memory that open arrays hold; views share one
 * @param pending operations that have been pushed and have not ended, more or less
 * @param memory bytes of arrays and of scratch memory, in use and idle
 */
public record ArrayStats(int storages, long pending, AllocatorStats memory) {}
