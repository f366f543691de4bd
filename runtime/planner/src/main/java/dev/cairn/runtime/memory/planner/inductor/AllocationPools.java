package dev.cairn.runtime.memory.planner.inductor;

import dev.cairn.runtime.memory.planner.inductor.TreeNode.Allocation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** All pools of a program while they are filled, by device. */
final class AllocationPools {
  private static final Comparator<Allocation> LONGER = Comparator
    .comparingLong((Allocation allocation) -> allocation.live.length())
    .reversed();
  private static final Comparator<Allocation> SMALLEST = Comparator
    .comparingLong((Allocation allocation) -> allocation.hintBytes)
    .thenComparing(LONGER);
  private static final Comparator<Allocation> LARGEST = Comparator
    .comparingLong((Allocation allocation) -> allocation.hintBytes).reversed()
    .thenComparing(LONGER);

  private final PoolOptions options;
  private final Map<String, List<AllocationPool>> byDevice = new LinkedHashMap<>();

  AllocationPools(PoolOptions options) {
    this.options = options;
  }

  /**
   * Places all, given in the order in which they are first allocated: outputs, the smallest first, then the rest, the
   * largest first; of equal ones the longer live first, then the one given first.
   */
  void allocateAll(List<Allocation> allocations) {
    Predicate<Allocation> apart = allocation -> allocation.output && options.mode() != PoolMode.COMBINED;
    allocations.stream().filter(apart).sorted(SMALLEST).forEach(this::allocateOutput);
    allocations.stream().filter(apart.negate()).sorted(LARGEST).forEach(this::allocate);
  }

  private void allocateOutput(Allocation allocation) {
    List<AllocationPool> pools = pools(allocation);
    if (!pools.isEmpty() && options.mode() == PoolMode.OUTPUTS) {
      pools.getLast().allocateAtEnd(allocation);
    } else {
      pools.add(new AllocationPool(allocation, false, options.alignment()));
    }
  }

  private void allocate(Allocation allocation) {
    List<AllocationPool> pools = pools(allocation);
    for (int i = 0; i < pools.size(); i++) {
      if (pools.get(i).allocate(allocation, i == pools.size() - 1)) {
        return;
      }
    }
    pools.add(new AllocationPool(allocation, options.mode() != PoolMode.NONE, options.alignment()));
  }

  private List<AllocationPool> pools(Allocation allocation) {
    return byDevice.computeIfAbsent(allocation.device, device -> new ArrayList<>());
  }

  /** The finished pools, of the device used first first, as made. */
  List<TreeLayout> layouts() {
    List<TreeLayout> layouts = new ArrayList<>();
    byDevice.forEach((device, pools) -> pools
      .forEach(pool -> layouts.add(new TreeLayout(device, pool.root(), options.alignment()))));
    return layouts;
  }
}
