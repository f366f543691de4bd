package dev.cairn.runtime.executor;

import dev.cairn.allocator.Alignment;
import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.Block;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.backend.HostTransfers;
import dev.cairn.runtime.backend.Transfers;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeKind;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Constants in memory of the allocator, each stored once however many compiled graphs read it. Owned by a session. A
 * graph holds its constants by a {@link Lease}; a block of constants is freed with the last lease that reads any of
 * them. Constants are told apart by where their bytes lie, so that the graphs of several input shapes share their
 * weights. Thread-safe.
 */
public final class WeightStore {
  private static final long ALIGNMENT = 64;

  private final Allocator allocator;
  private final Transfers transfers;
  private final Map<Source, Stored> stored = new HashMap<>();
  private final Map<Block, Integer> readers = new HashMap<>();

  /** Where a constant's bytes came from. The view is kept, so that the address stays its own. */
  private record Source(TensorView value) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Source(TensorView that)
        && value.segment().equals(that.segment())
        && value.type().equals(that.type());
    }

    @Override
    public int hashCode() {
      return value.segment().hashCode();
    }
  }

  /** A stored constant, and the block that it lies in. */
  private record Stored(TensorView view, Block block) {}

  /** The right to read some constants, until closed. */
  public final class Lease implements AutoCloseable {
    private final List<TensorView> views;
    private final Set<Block> blocks;

    private Lease(List<Stored> constants) {
      views = constants.stream().map(Stored::view).toList();
      blocks = constants.stream().map(Stored::block).collect(Collectors.toSet());
      blocks.forEach(block -> readers.merge(block, 1, Integer::sum));
    }

    /** The stored constants, in the order in which they were asked for. */
    public List<TensorView> views() {
      return views;
    }

    /** Gives the constants up, once; no executor that reads them may be used any more. */
    @Override
    public void close() {
      giveUp(blocks);
    }
  }

  /** In memory that the host reads. */
  public WeightStore(Allocator allocator) {
    this(allocator, HostTransfers.INSTANCE);
  }

  /** @param transfers to the allocator's memory */
  public WeightStore(Allocator allocator, Transfers transfers) {
    this.allocator = allocator;
    this.transfers = transfers;
  }

  /**
   * Stores these constants; those that are new are copied into one block.
   *
   * @throws InvalidGraph when a weight holds nothing but NaN
   * @throws dev.cairn.allocator.OutOfMemory when they do not fit; nothing is stored then
   */
  public synchronized Lease store(List<Node> constants) {
    List<Source> sources = constants.stream().map(WeightStore::source).toList();
    long bytes = 0;
    var offsets = new LinkedHashMap<Source, Long>();
    for (Source source : sources) {
      if (!stored.containsKey(source) && !offsets.containsKey(source)) {
        offsets.put(source, bytes);
        bytes = Alignment.up(bytes + source.value().type().bytes(), ALIGNMENT);
      }
    }
    if (!offsets.isEmpty()) {
      Block block = allocator.allocate(Math.max(bytes, 1), "weights");
      place(offsets, block);
    }
    return new Lease(sources.stream().map(this::found).toList());
  }

  private void place(Map<Source, Long> offsets, Block block) {
    Map<Source, Stored> placed = new HashMap<>();
    try {
      offsets.forEach((source, offset) -> placed.put(source, new Stored(copy(source.value(), block, offset), block)));
    } catch (RuntimeException | Error e) {
      allocator.free(block);
      throw e;
    }
    stored.putAll(placed);
  }

  private synchronized void giveUp(Set<Block> blocks) {
    for (Block block : blocks) {
      if (readers.merge(block, -1, Integer::sum) == 0) {
        readers.remove(block);
        stored.values().removeIf(it -> it.block().equals(block));
        allocator.free(block);
      }
    }
  }

  private static Source source(Node node) {
    if (!(node.kind() instanceof NodeKind.Constant(TensorView value))) {
      throw new IllegalArgumentException("not a constant: node=" + node.name());
    }
    if (isNothingButNan(value)) {
      throw new InvalidGraph(node.name(), "a weight holds nothing but NaN: type=" + value.type());
    }
    return new Source(value);
  }

  /** A lone NaN may be meant; a whole tensor of them is a model that was trained or saved wrongly. */
  private static boolean isNothingButNan(TensorView value) {
    if (!value.dtype().isFloat() || value.elementCount() < 2) {
      return false;
    }
    for (long i = 0; i < value.elementCount(); i++) {
      if (!Double.isNaN(value.doubleAt(i))) {
        return false;
      }
    }
    return true;
  }

  private Stored found(Source source) {
    Stored found = stored.get(source);
    if (found == null) {
      throw new AssertionError("stored a moment ago: type=" + source.value().type());
    }
    return found;
  }

  private TensorView copy(TensorView value, Block block, long offset) {
    var target = transfers.segment(block).asSlice(offset, value.type().bytes());
    transfers.upload(target, value.segment());
    if (value.segment().isMapped()) {
      // The file's pages have served: let the system have them back rather than hold the weights twice.
      value.segment().unload();
    }
    return new TensorView(value.type(), target);
  }
}
