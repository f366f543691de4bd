/**
 * Chooses the values to keep for the backward pass as PyTorch's compiler does. A minimum cut separates the forward
 * inputs from the values that gradients read; with a budget, a knapsack keeps the values that cost most to compute
 * again. Start at {@link dev.cairn.runtime.memory.recompute.mincut.MincutPartition}.
 *
 * <p>Internal: users call the classes of {@code docs/api.md}.
 */
@NullMarked
package dev.cairn.runtime.memory.recompute.mincut;

import org.jspecify.annotations.NullMarked;
