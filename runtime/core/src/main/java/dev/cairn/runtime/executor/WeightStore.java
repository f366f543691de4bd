package dev.cairn.runtime.executor;

import dev.cairn.allocator.Alignment;
import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.Block;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.backend.HostTransfers;
import dev.cairn.runtime.backend.Transfers;
import dev.cairn.runtime.graph.ConstantSource;
import dev.cairn.runtime.graph.Node;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Constants in memory of the allocator, each stored once however many compiled graphs read it. Owned by a session. A
 * graph holds its constants by a {@link Lease}; a block of constants is freed with the last lease that reads any of
 * them. Constants are one where their {@link ConstantSource}s are equal, so that the graphs of several input shapes
 * share their weights, folded or not. Thread-safe.
 */
public final class WeightStore {
  private static final long ALIGNMENT = 64;

  private final Allocator allocator;
  private final Transfers transfers;
  private final ConstantWriter writer;
  private final Map<ConstantSource, Stored> stored = new HashMap<>();
  private final Map<Block, Integer> readers = new HashMap<>();

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
    this(allocator, HostTransfers.INSTANCE, allocator);
  }

  /**
   * @param transfers to the allocator's memory
   * @param host allocates memory of the host, in which constants are computed: the same where kernels use that
   */
  public WeightStore(Allocator allocator, Transfers transfers, Allocator host) {
    this.allocator = allocator;
    this.transfers = transfers;
    this.writer = new ConstantWriter(host);
  }

  /**
   * Stores these constants; those that are new are copied into one block, or computed there.
   *
   * @throws dev.cairn.allocator.OutOfMemory when they do not fit; nothing is stored then
   */
  public synchronized Lease store(List<Node> constants) {
    List<ConstantSource> sources = constants.stream().map(WeightStore::source).toList();
    long bytes = 0;
    var offsets = new LinkedHashMap<ConstantSource, Long>();
    for (ConstantSource source : sources) {
      if (!stored.containsKey(source) && !offsets.containsKey(source)) {
        offsets.put(source, bytes);
        bytes = Alignment.up(bytes + source.type().bytes(), ALIGNMENT);
      }
    }
    if (!offsets.isEmpty()) {
      Block block = allocator.allocate(Math.max(bytes, 1), "weights");
      place(offsets, block);
    }
    return new Lease(sources.stream().map(this::found).toList());
  }

  private void place(Map<ConstantSource, Long> offsets, Block block) {
    Map<ConstantSource, Stored> placed = new HashMap<>();
    boolean isOnHost = block.space().isHostAccessible();
    try (ConstantWriter.Scratch scratch = isOnHost
      ? writer.scratchToWrite(offsets.keySet())
      : writer.scratchToHandOn(offsets.keySet())) {
      offsets.forEach((source, offset) -> placed.put(source, new Stored(written(source, block, offset, scratch),
        block)));
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

  private static ConstantSource source(Node node) {
    return node.constant().orElseThrow(() -> new IllegalArgumentException("not a constant: node=" + node.name()));
  }

  private Stored found(ConstantSource source) {
    Stored found = stored.get(source);
    if (found == null) {
      throw new AssertionError("stored a moment ago: type=" + source.type());
    }
    return found;
  }

  private TensorView written(ConstantSource source, Block block, long offset, ConstantWriter.Scratch scratch) {
    MemorySegment target = transfers.segment(block).asSlice(offset, source.type().bytes());
    if (block.space().isHostAccessible()) {
      writer.write(source, target, scratch);
    } else {
      switch (source) {
        case ConstantSource.Given(TensorView value) -> {
          transfers.upload(target, value.segment());
          ConstantWriter.release(value);
        }
        case ConstantSource.Computed computed -> writer.handOn(computed, scratch, bytes -> transfers.upload(target,
          bytes));
      }
    }
    return new TensorView(source.type(), target);
  }
}
