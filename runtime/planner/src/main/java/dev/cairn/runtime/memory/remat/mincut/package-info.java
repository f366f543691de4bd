/**
 * What to keep for the backward pass, as PyTorch's compiler chooses it: a minimum cut between what is there and what
 * gradients read, and within a budget a knapsack of what is costly. Start at {@link
 * dev.cairn.runtime.memory.remat.mincut.MincutPartition}.
 */
@NullMarked
package dev.cairn.runtime.memory.remat.mincut;

import org.jspecify.annotations.NullMarked;
