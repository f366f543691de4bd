package dev.cairn.runtime.executor;

import dev.cairn.allocator.Allocator;

/**
 * Where a graph that runs node by node has its memory from.
 *
 * @param allocator for results and workspaces
 * @param weights for constants
 */
public record DynamicMemory(Allocator allocator, WeightStore weights) {}
