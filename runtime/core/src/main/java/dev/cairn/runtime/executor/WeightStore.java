package dev.cairn.runtime.executor;

import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.Block;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Constants in memory of the allocator, each stored once however many compiled graphs read it. Owned by a session;
 * closing frees all. Constants are told apart by where their bytes lie, so that the graphs of several input shapes
 * share their weights.
 */
public final class WeightStore implements AutoCloseable {
  private static final long ALIGNMENT = 64;

  private final Allocator allocator;
  private final List<Block> blocks = new ArrayList<>();
  private final Map<Source, TensorView> stored = new HashMap<>();

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

  public WeightStore(Allocator allocator) {
    this.allocator = allocator;
  }

  /**
   * The stored copies of these constants, in order; those that are new are copied into one block.
   *
   * @throws InvalidGraph when a weight holds nothing but NaN
   * @throws dev.cairn.allocator.OutOfMemory when they do not fit; nothing is stored then
   */
  public synchronized List<TensorView> store(List<Node> constants) {
    List<Source> sources = constants.stream().map(WeightStore::source).toList();
    long bytes = 0;
    var offsets = new HashMap<Source, Long>();
    for (Source source : sources) {
      if (!stored.containsKey(source) && !offsets.containsKey(source)) {
        offsets.put(source, bytes);
        bytes = Math.ceilDiv(bytes + source.value().type().bytes(), ALIGNMENT) * ALIGNMENT;
      }
    }
    if (!offsets.isEmpty()) {
      Block block = allocator.allocate(Math.max(bytes, 1), "weights");
      blocks.add(block);
      offsets.forEach((source, offset) -> stored.put(source, copy(source.value(), block, offset)));
    }
    return sources.stream().map(this::found).toList();
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

  private TensorView found(Source source) {
    TensorView view = stored.get(source);
    if (view == null) {
      throw new AssertionError("stored a moment ago: type=" + source.value().type());
    }
    return view;
  }

  private static TensorView copy(TensorView value, Block block, long offset) {
    var target = block.segment().asSlice(offset, value.type().bytes());
    target.copyFrom(value.segment());
    if (value.segment().isMapped()) {
      // The file's pages have served: let the system have them back rather than hold the weights twice.
      value.segment().unload();
    }
    return new TensorView(value.type(), target);
  }

  /** Frees all constants. No executor that reads them may be used any more. */
  @Override
  public synchronized void close() {
    blocks.forEach(allocator::free);
    blocks.clear();
    stored.clear();
  }
}
