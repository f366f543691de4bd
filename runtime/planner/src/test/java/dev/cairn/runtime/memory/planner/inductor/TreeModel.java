package dev.cairn.runtime.memory.planner.inductor;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The rules of {@code memory_plan} written down straight, to compare with: recursive, nothing cached, numbers only.
 * Made from the specification, not from the planner.
 */
final class TreeModel {
  /** The steps from {@code begin} to before {@code end}; none where they are one. */
  record Span(long begin, long end) {}

  /** A block: what is asked, and the answer. */
  static final class Item extends Node {
    final int number;
    final String device;
    final long begin;
    final long end;
    final long bytes;
    final boolean unbacked;
    final boolean output;
    int pool = -1;
    long offset = -1;

    Item(int number, String device, Span live, long bytes, boolean unbacked, boolean output) {
      this.number = number;
      this.device = device;
      this.begin = live.begin();
      this.end = live.end();
      this.bytes = bytes;
      this.unbacked = unbacked;
      this.output = output;
    }

    @Override
    long size() {
      return bytes;
    }

    @Override
    List<long[]> live() {
      return List.of(new long[] {begin, end});
    }

    @Override
    boolean allocate(Item block, boolean last) {
      return false;
    }

    @Override
    long place(long at) {
      offset = at;
      return bytes;
    }
  }

  abstract static class Node {
    abstract long size();

    abstract List<long[]> live();

    abstract boolean allocate(Item block, boolean last);

    /** Sets offsets; answers the bytes really taken. */
    abstract long place(long at);
  }

  private static final class Empty extends Node {
    final long bytes;

    Empty(long bytes) {
      this.bytes = bytes;
    }

    @Override
    long size() {
      return bytes;
    }

    @Override
    List<long[]> live() {
      return List.of();
    }

    @Override
    boolean allocate(Item block, boolean last) {
      return false;
    }

    @Override
    long place(long at) {
      return 0;
    }
  }

  private final class Temporal extends Node {
    List<Node> children = new ArrayList<>();

    Temporal(Node child) {
      children.add(child);
    }

    @Override
    long size() {
      return children.stream().mapToLong(Node::size).max().orElse(0);
    }

    @Override
    List<long[]> live() {
      return children.stream().flatMap(child -> child.live().stream()).toList();
    }

    @Override
    boolean allocate(Item block, boolean last) {
      long slot = size();
      if (!last && block.bytes > slot) {
        return false;
      }
      List<Node> overlapping = children.stream().filter(child -> overlaps(child, block)).toList();
      if (overlapping.size() == 1) {
        return overlapping.getFirst().allocate(block, last);
      }
      if (overlapping.size() > 1) {
        return false;
      }
      if (children.size() == 1 && children.getFirst() instanceof Empty) {
        children.clear();
      }
      if (block.bytes > slot) {
        children.replaceAll(child -> new Spatial(new Temporal(child), new Temporal(new Empty(block.bytes - slot))));
      }
      children.add(block.bytes < slot
        ? new Spatial(new Temporal(block), new Temporal(new Empty(slot - block.bytes)))
        : block);
      return true;
    }

    @Override
    long place(long at) {
      long taken = 0;
      for (Node child : children) {
        taken = Math.max(taken, child.place(at));
      }
      return taken;
    }
  }

  private final class Spatial extends Node {
    final Temporal left;
    final Temporal right;

    Spatial(Temporal left, Temporal right) {
      this.left = left;
      this.right = right;
    }

    @Override
    long size() {
      return align(left.size()) + right.size();
    }

    @Override
    List<long[]> live() {
      List<long[]> live = new ArrayList<>(left.live());
      live.addAll(right.live());
      return live;
    }

    @Override
    boolean allocate(Item block, boolean last) {
      return left.allocate(block, false) || right.allocate(block, last);
    }

    @Override
    long place(long at) {
      long leftTaken = left.place(at);
      boolean rightEmpty = right.children.size() == 1 && right.children.getFirst() instanceof Empty;
      return rightEmpty ? leftTaken : align(leftTaken) + right.place(at + align(leftTaken));
    }
  }

  private final class Pool {
    Temporal root;
    final boolean mayGrow;
    final List<Item> items = new ArrayList<>();

    Pool(Item first, boolean mayGrow) {
      root = new Temporal(first);
      this.mayGrow = mayGrow;
      items.add(first);
    }

    boolean allocate(Item block, boolean last) {
      long begin = items.stream().mapToLong(item -> item.begin).min().orElseThrow();
      long earliest = items.stream().filter(item -> item.unbacked).mapToLong(item -> item.begin).min().orElse(0);
      if (block.begin < earliest || (block.unbacked && block.begin > begin)) {
        return false;
      }
      if (root.allocate(block, last && mayGrow)) {
        items.add(block);
        return true;
      }
      if (last && mayGrow) {
        atEnd(block);
        return true;
      }
      return false;
    }

    void atEnd(Item block) {
      root = new Temporal(new Spatial(root, new Temporal(block)));
      items.add(block);
    }
  }

  private final PoolMode mode;
  private final long alignment;
  private final Map<String, List<Pool>> devices = new LinkedHashMap<>();
  /** Bytes by pool. */
  final List<Long> poolBytes = new ArrayList<>();
  /** Bytes by pool as counted while filling. */
  final List<Long> countedBytes = new ArrayList<>();

  TreeModel(PoolMode mode, long alignment, List<Item> items) {
    this.mode = mode;
    this.alignment = alignment;
    boolean combined = mode == PoolMode.COMBINED;
    Comparator<Item> longer = Comparator.comparingLong(item -> item.begin - item.end);
    items.stream().filter(item -> item.output && !combined)
      .sorted(Comparator.comparingLong((Item item) -> item.bytes).thenComparing(longer)).forEach(this::output);
    items.stream().filter(item -> !item.output || combined)
      .sorted(Comparator.comparingLong((Item item) -> -item.bytes).thenComparing(longer)).forEach(this::other);
    for (List<Pool> pools : devices.values()) {
      for (Pool pool : pools) {
        pool.items.forEach(item -> item.pool = poolBytes.size());
        countedBytes.add(pool.root.size());
        poolBytes.add(pool.root.place(0));
      }
    }
  }

  private void output(Item block) {
    List<Pool> pools = devices.computeIfAbsent(block.device, device -> new ArrayList<>());
    if (mode == PoolMode.OUTPUTS && !pools.isEmpty()) {
      pools.getLast().atEnd(block);
    } else {
      pools.add(new Pool(block, false));
    }
  }

  private void other(Item block) {
    List<Pool> pools = devices.computeIfAbsent(block.device, device -> new ArrayList<>());
    for (Pool pool : pools) {
      if (pool.allocate(block, pool == pools.getLast())) {
        return;
      }
    }
    pools.add(new Pool(block, mode != PoolMode.NONE));
  }

  private long align(long bytes) {
    return (bytes + alignment - 1) / alignment * alignment;
  }

  private static boolean overlaps(Node child, Item block) {
    return child.live().stream().anyMatch(range -> {
      if (range[0] == range[1]) {
        return block.begin < range[0] && range[0] < block.end;
      }
      return block.begin == block.end
        ? range[0] <= block.begin && block.begin < range[1]
        : range[0] < block.end && block.begin < range[1];
    });
  }
}
