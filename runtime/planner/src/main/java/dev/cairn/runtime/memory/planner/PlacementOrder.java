package dev.cairn.runtime.memory.planner;

import dev.cairn.runtime.memory.Lifetime;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.PlacementUnit;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** In which order a greedy planner places buffers. The last tie always goes to the lower index. */
public enum PlacementOrder {
  /** Largest first, then the longer held: a small buffer fits into a hole, a large one makes it. */
  SIZE {
    @Override
    Comparator<Item> comparator() {
      return Comparator.comparingLong(Item::bytes).reversed().thenComparing(LONGER);
    }
  },

  /** Greatest bytes times steps first, then the larger. */
  AREA {
    @Override
    Comparator<Item> comparator() {
      return Comparator.comparingDouble(Item::area).reversed().thenComparing(LARGER);
    }
  },

  /** Longest held first, then the larger: what never moves lies at the bottom. */
  LIFETIME {
    @Override
    Comparator<Item> comparator() {
      return LONGER.thenComparing(LARGER);
    }
  },

  /** By the first step, larger ones first within a step: what an allocator at run time sees. */
  START {
    @Override
    Comparator<Item> comparator() {
      return Comparator.comparingInt((Item item) -> item.held.first()).thenComparing(LARGER);
    }
  };

  private static final Comparator<Item> LONGER = Comparator.comparingInt((Item item) -> item.held.length()).reversed();
  private static final Comparator<Item> LARGER = Comparator.comparingLong(Item::bytes).reversed();

  abstract Comparator<Item> comparator();

  /** The problem's buffer indexes in this order. */
  public int[] sequence(MemoryProblem problem) {
    List<Lifetime> held = problem.held();
    return sequence(IntStream.range(0, problem.size())
      .mapToObj(i -> new Item(i, problem.buffer(i).reservedBytes(), held.get(i))));
  }

  /** The units' indexes in their list, in this order. */
  int[] sequence(MemoryProblem problem, List<PlacementUnit> units) {
    List<Lifetime> held = problem.held();
    return sequence(IntStream.range(0, units.size()).mapToObj(i -> {
      PlacementUnit unit = units.get(i);
      Lifetime hull = IntStream.of(unit.buffers()).mapToObj(held::get).reduce(Lifetime::hull).orElseThrow();
      return new Item(i, unit.bytes(), hull);
    }));
  }

  private int[] sequence(Stream<Item> items) {
    return items.sorted(comparator().thenComparingInt(Item::index)).mapToInt(Item::index).toArray();
  }

  /** The facts by which orders sort. */
  record Item(int index, long bytes, Lifetime held) {
    double area() {
      return (double) bytes * held.length();
    }
  }
}
