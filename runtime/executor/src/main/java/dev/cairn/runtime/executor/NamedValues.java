package dev.cairn.runtime.executor;

import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.Block;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The values that the parts of a graph pass to each other in one run, by name. Not thread-safe. */
public final class NamedValues implements AutoCloseable {
  private final Allocator allocator;
  private final Map<String, RunValue> held = new HashMap<>();

  /** @param allocator from which results of parts come */
  public NamedValues(Allocator allocator) {
    this.allocator = allocator;
  }

  /** Adds a value that another holder keeps, too. */
  public void give(String name, RunValue value) {
    value.retain();
    hold(name, value);
  }

  private void hold(String name, RunValue value) {
    RunValue before = held.put(name, value);
    if (before != null) {
      before.release();
    }
  }

  public RunValue value(String name) {
    RunValue found = held.get(name);
    if (found == null) {
      throw new AssertionError("read before it was made, or after it was dropped: name=" + name);
    }
    return found;
  }

  /** The types of a graph's inputs, without containers and strings, which have none before a run. */
  public Map<String, TensorType> types(Graph graph) {
    Map<String, TensorType> types = new LinkedHashMap<>();
    for (Node input : graph.inputs()) {
      if (value(input.name()) instanceof RunValue.OfTensor(TensorView view, var block)
        && view.dtype() != DType.STRING) {
        types.put(input.name(), view.type());
      }
    }
    return types;
  }

  /** The values that a graph reads, in the order of its inputs. */
  public List<RunValue> inputs(Graph graph) {
    List<RunValue> values = new ArrayList<>(graph.inputs().size());
    for (Node input : graph.inputs()) {
      values.add(value(input.name()));
    }
    return values;
  }

  /**
   * Memory for results, held under their names.
   *
   * @throws dev.cairn.allocator.OutOfMemory when one of them does not fit
   */
  public List<TensorView> allocate(Map<String, TensorType> results) {
    List<TensorView> views = new ArrayList<>();
    results.forEach((name, type) -> {
      Block block = allocator.allocate(Math.max(1, type.bytes()), "value/" + name);
      var view = new TensorView(type, block.segment().asSlice(0, type.bytes()));
      hold(name, new RunValue.OfTensor(view, new SharedBlock(allocator, block)));
      views.add(view);
    });
    return views;
  }

  /** Gives up all other values. */
  public void keep(Collection<String> names) {
    held.entrySet().removeIf(it -> {
      boolean isGone = !names.contains(it.getKey());
      if (isGone) {
        it.getValue().release();
      }
      return isGone;
    });
  }

  /** The memory of a value, which is the caller's from then on; empty when others hold it, or it is not the run's. */
  public Optional<Block> take(String name) {
    if (!(value(name) instanceof RunValue.OfTensor(TensorView view, SharedBlock block)) || block == null) {
      return Optional.empty();
    }
    Optional<Block> own = block.handOver();
    if (own.isPresent()) {
      held.put(name, RunValue.of(view));
    }
    return own;
  }

  @Override
  public void close() {
    held.values().forEach(RunValue::release);
    held.clear();
  }
}
