package dev.cairn.runtime.memory.planner.inductor;

import dev.cairn.runtime.memory.planner.inductor.TreeNode.Block;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** All pools of a program while they are filled, by device. */
final class AllocationPools {
  private static final Comparator<Block> LONGER = Comparator.comparingLong((Block block) -> block.live.length())
    .reversed();
  private static final Comparator<Block> SMALLEST = Comparator.comparingLong((Block block) -> block.hintBytes)
    .thenComparing(LONGER);
  private static final Comparator<Block> LARGEST = Comparator.comparingLong((Block block) -> block.hintBytes).reversed()
    .thenComparing(LONGER);

  private final PoolOptions options;
  private final Map<String, List<AllocationPool>> byDevice = new LinkedHashMap<>();

  AllocationPools(PoolOptions options) {
    this.options = options;
  }

  /**
   * Places all blocks, given in the order of their first allocations: outputs, the smallest first, then the rest, the
   * largest first; of equal ones the longer live first, then the one given first.
   */
  void allocateAll(List<Block> blocks) {
    Predicate<Block> apart = block -> block.output && options.mode() != PoolMode.COMBINED;
    blocks.stream().filter(apart).sorted(SMALLEST).forEach(this::allocateOutput);
    blocks.stream().filter(apart.negate()).sorted(LARGEST).forEach(this::allocate);
  }

  private void allocateOutput(Block block) {
    List<AllocationPool> pools = pools(block);
    if (!pools.isEmpty() && options.mode() == PoolMode.OUTPUTS) {
      pools.getLast().allocateAtEnd(block);
    } else {
      pools.add(new AllocationPool(block, false, options.alignment()));
    }
  }

  private void allocate(Block block) {
    List<AllocationPool> pools = pools(block);
    for (int i = 0; i < pools.size(); i++) {
      if (pools.get(i).allocate(block, i == pools.size() - 1)) {
        return;
      }
    }
    pools.add(new AllocationPool(block, options.mode() != PoolMode.NONE, options.alignment()));
  }

  private List<AllocationPool> pools(Block block) {
    return byDevice.computeIfAbsent(block.device, device -> new ArrayList<>());
  }

  /** The finished pools, of the device used first first, as made. */
  List<TreeLayout> layouts() {
    List<TreeLayout> layouts = new ArrayList<>();
    byDevice.forEach((device, pools) -> pools
      .forEach(pool -> layouts.add(new TreeLayout(device, pool.root(), options.alignment()))));
    return layouts;
  }
}
