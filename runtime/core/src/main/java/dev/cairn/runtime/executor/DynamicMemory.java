package dev.cairn.runtime.executor;

import dev.cairn.allocator.Allocator;

/**
 * Where a graph that runs node by node has its memory from.
 *
 * @param allocator for results and workspaces
 * @param weights for constants
 * @param variables where the graph's variables lie already
 */
public record DynamicMemory(Allocator allocator, WeightStore weights, VariableStore variables) {}
