package dev.cairn.runtime.executor;

import dev.cairn.allocator.Alignment;
import dev.cairn.allocator.AllocationRequest;
import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.Block;
import dev.cairn.allocator.Owner;
import dev.cairn.allocator.report.StatsText;
import dev.cairn.kernels.device.Closing;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.backend.HostTransfers;
import dev.cairn.runtime.backend.Transfers;
import dev.cairn.runtime.compile.ConstantScratch;
import dev.cairn.runtime.graph.ConstantSource;
import dev.cairn.runtime.graph.Node;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Constants in memory of the allocator, each stored once however many compiled graphs read it. Owned by a session. A
 * graph holds its constants by a {@link Lease}; a block of constants is freed with the last lease that reads any of
 * them. Constants are one where their {@link ConstantSource}s are equal, so that the graphs of several input shapes
 * share their weights, folded or not. Constants that a graph streams to a GPU are in page-locked memory of the host;
 * constants that steps compute on the processor have no memory here. Thread-safe.
 */
public final class WeightStore {
  /** How many constants the owner of a block names. */
  private static final int MOST_NAMES = 3;
  private static final long ALIGNMENT = 64;
  /** Scratch memory for constants is replaced by less where a part of it is enough. */
  private static final long MUCH_LESS = 8;
  /** Stands for a constant that a step makes in the plan. */
  private static final TensorView NOT_STORED = TensorView.ofFloats(Shape.of(0));

  private final StoredConstants onDevice;
  /** Made when a graph streams. */
  private @Nullable StoredConstants pageLocked;
  private final Transfers transfers;
  private final ConstantWriter writer;
  private final Map<Block, Held> held = new HashMap<>();

  /** A stored constant, and the block that it lies in. */
  private record Stored(TensorView view, Block block) {}

  /** Constants in one kind of memory. */
  private static final class StoredConstants {
    private final Allocator allocator;
    private final Transfers transfers;
    private final Map<ConstantSource, Stored> stored = new HashMap<>();

    StoredConstants(Allocator allocator, Transfers transfers) {
      this.allocator = allocator;
      this.transfers = transfers;
    }
  }

  /** The source of a block, and how many leases read it. */
  private record Held(StoredConstants memory, int readers) {}

  /** The right to read some constants, until closed. */
  public final class Lease implements AutoCloseable {
    private final List<TensorView> views;
    private final Set<Block> blocks;

    private Lease(List<TensorView> views, Set<Block> blocks) {
      this.views = List.copyOf(views);
      this.blocks = Set.copyOf(blocks);
    }

    /**
     * The stored constants, in the order in which they were asked for; without elements where steps make them on the
     * processor.
     */
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
    this.onDevice = new StoredConstants(allocator, transfers);
    this.transfers = transfers;
    this.writer = new ConstantWriter(host);
  }

  /**
   * Stores these constants; new constants are copied into one block, or computed there.
   *
   * @throws dev.cairn.allocator.OutOfMemory when they do not fit; nothing is stored then
   */
  public Lease store(List<Node> constants) {
    return store(constants, Set.of());
  }

  /**
   * Like {@link #store(List)}, without some: those are in page-locked memory for a GPU, and not stored for the
   * processor.
   *
   * @param streamed constants that steps copy from there, or make on the processor
   */
  public synchronized Lease store(List<Node> constants, Set<Node> streamed) {
    List<ConstantSource> sources = constants.stream().map(WeightStore::source).toList();
    boolean areMadeBySteps = transfers.equals(HostTransfers.INSTANCE);
    Map<ConstantSource, String> resident = new LinkedHashMap<>();
    Map<ConstantSource, String> copied = new LinkedHashMap<>();
    for (int i = 0; i < sources.size(); i++) {
      Node constant = constants.get(i);
      (streamed.contains(constant) ? copied : resident).putIfAbsent(sources.get(i), constant.name());
    }
    Set<Block> blocks = new HashSet<>();
    try {
      take(onDevice, resident, blocks);
      if (!copied.isEmpty() && !areMadeBySteps) {
        take(pageLocked(), copied, blocks);
      }
    } catch (RuntimeException | Error e) {
      giveUp(blocks);
      throw e;
    }
    List<TensorView> views = new ArrayList<>();
    for (int i = 0; i < sources.size(); i++) {
      boolean isCopied = streamed.contains(constants.get(i));
      views.add(isCopied && areMadeBySteps
        ? NOT_STORED
        : found(isCopied ? pageLocked() : onDevice, sources.get(i)).view());
    }
    return new Lease(views, blocks);
  }

  /** The host's memory for constants that are streamed. */
  private StoredConstants pageLocked() {
    StoredConstants made = pageLocked;
    if (made == null) {
      made = new StoredConstants(transfers.staging(), HostTransfers.INSTANCE);
      pageLocked = made;
    }
    return made;
  }

  /**
   * Puts what is new into one block, and adds a reader to each block in which these constants lie.
   *
   * @param names of the constants
   */
  private void take(StoredConstants memory, Map<ConstantSource, String> names, Set<Block> blocks) {
    long bytes = 0;
    var offsets = new LinkedHashMap<ConstantSource, Long>();
    for (ConstantSource source : names.keySet()) {
      if (!memory.stored.containsKey(source)) {
        offsets.put(source, bytes);
        bytes = Alignment.up(bytes + source.type().bytes(), ALIGNMENT);
      }
    }
    if (!offsets.isEmpty()) {
      place(offsets, names, memory,
        memory.allocator.allocate(AllocationRequest.of(Math.max(bytes, 1), owner(offsets.keySet(), names))));
    }
    Set<Block> read = names.keySet().stream().map(it -> found(memory, it).block()).collect(Collectors.toSet());
    read.forEach(it -> held.merge(it, new Held(memory, 1), (known, _) -> new Held(memory, known.readers + 1)));
    blocks.addAll(read);
  }

  /**
   * Writes the constants that take much memory of their own while they are computed first, and gives that memory back
   * before the others, for which less is enough.
   */
  private void place(Map<ConstantSource, Long> offsets, Map<ConstantSource, String> names, StoredConstants memory,
    Block block) {
    Map<ConstantSource, Stored> placed = new HashMap<>();
    boolean isOnHost = block.space().isHostAccessible();
    ToLongFunction<ConstantSource> need = isOnHost ? ConstantScratch::bytesOf : ConstantWriter::bytesToHandOn;
    List<ConstantSource> order = new ArrayList<>(offsets.keySet());
    order.sort(Comparator.comparingLong(need).reversed());
    try {
      for (int first = 0; first < order.size();) {
        long most = need.applyAsLong(order.get(first));
        try (ConstantWriter.Scratch scratch = writer.scratch(most, Objects.requireNonNull(names.get(order.get(
          first))))) {
          int next = first;
          while (next < order.size() && need.applyAsLong(order.get(next)) >= most / MUCH_LESS) {
            ConstantSource source = order.get(next++);
            MemorySegment target = memory.transfers.segment(block).asSlice(Objects.requireNonNull(offsets.get(source)),
              source.type().bytes());
            placed.put(source, new Stored(written(source, target, isOnHost, scratch), block));
          }
          first = next;
        }
      }
    } catch (RuntimeException | Error e) {
      memory.allocator.free(block);
      throw e;
    }
    memory.stored.putAll(placed);
  }

  private synchronized void giveUp(Set<Block> blocks) {
    var closing = new Closing();
    for (Block block : blocks) {
      Held now = held.get(block);
      if (now == null) {
        throw new IllegalStateException("constants were given up already");
      }
      if (now.readers > 1) {
        held.put(block, new Held(now.memory, now.readers - 1));
        continue;
      }
      held.remove(block);
      now.memory.stored.values().removeIf(it -> it.block().equals(block));
      closing.end(() -> now.memory.allocator.free(block));
      if (now.memory.equals(pageLocked)) {
        closing.end(now.memory.allocator::trim);
      }
    }
    closing.throwFailure();
  }

  /** The owner of a block: the names and bytes of its largest constants, and how many others there are. */
  private static Owner owner(Set<ConstantSource> sources, Map<ConstantSource, String> names) {
    List<ConstantSource> largest = sources.stream().sorted(Comparator.comparingLong((ConstantSource it) -> -it.type()
      .bytes())).limit(MOST_NAMES).toList();
    int others = sources.size() - largest.size();
    return Owner.of("weights", largest.stream().map(it -> names.get(it) + " " + StatsText.bytes(it.type().bytes()))
      .collect(Collectors.joining(", "))
      + (others == 0 ? "" : " and " + others + (others == 1 ? " other" : " others")));
  }

  private static ConstantSource source(Node node) {
    return node.constant().orElseThrow(() -> new IllegalArgumentException("not a constant: node=" + node.name()));
  }

  private static Stored found(StoredConstants memory, ConstantSource source) {
    Stored found = memory.stored.get(source);
    if (found == null) {
      throw new AssertionError("stored a moment ago: type=" + source.type());
    }
    return found;
  }

  private TensorView written(ConstantSource source, MemorySegment target, boolean isOnHost,
    ConstantWriter.Scratch scratch) {
    if (isOnHost) {
      ConstantWriter.write(source, target, scratch);
    } else {
      switch (source) {
        case ConstantSource.Given(TensorView value) -> {
          transfers.upload(target, ConstantWriter.present(value).segment());
          ConstantWriter.release(value);
        }
        case ConstantSource.Computed computed -> {
          MemorySegment bytes = ConstantWriter.computed(computed, scratch);
          transfers.upload(target, bytes);
          scratch.giveBack(bytes);
        }
      }
    }
    return new TensorView(source.type(), target);
  }
}
