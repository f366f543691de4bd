package dev.cairn.runtime.ndarray;

import dev.cairn.allocator.AllocatorStats;
import dev.cairn.runtime.ndarray.memory.ArrayMemory;
import java.util.Map;

/**
 * What the arrays of a runtime hold at one moment.
 *
 * @param storages pieces of memory that open arrays hold; views share one
 * @param pending operations that have been pushed and have not ended, more or less
 * @param manager how arrays take memory: the kind, the rounding and the limits of the options
 * @param memory bytes of arrays and of scratch memory on the first device, in use and idle; {@code memory.pool()} is
 *   what the device's pool holds of the system
 * @param devices the same for each device, by name
 * @param callsOnHost how many calls on arrays of a GPU ran on the processor, since the GPU has no kernel for them
 * @param fusedCalls how many calls bulks have fused with others so far
 */
public record ArrayStats(int storages, long pending, ArrayMemory manager, AllocatorStats memory,
  Map<String, AllocatorStats> devices,
  long callsOnHost, long fusedCalls) {}
