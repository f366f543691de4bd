package dev.cairn.runtime.executor;

import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.Block;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.backend.HostTransfers;
import dev.cairn.runtime.backend.Transfers;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeKind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Variables in memory of the allocator, by name; each at one address until closed, for all compiled graphs of a
 * session. Owned by the session. Not thread-safe: the session decides which runs may read or write them at the same
 * time.
 */
public final class VariableStore implements AutoCloseable {
  private final Allocator allocator;
  private final Transfers transfers;
  private final Map<String, Stored> stored = new LinkedHashMap<>();

  private record Stored(TensorView view, Block block) {}

  /** In memory that the host reads. */
  public VariableStore(Allocator allocator) {
    this(allocator, HostTransfers.INSTANCE);
  }

  /** @param transfers to the allocator's memory */
  public VariableStore(Allocator allocator, Transfers transfers) {
    this.allocator = allocator;
    this.transfers = transfers;
  }

  /**
   * Takes memory for these variables and gives them their initial values.
   *
   * @param variables of names that are not stored yet
   * @throws dev.cairn.allocator.OutOfMemory when they do not fit; nothing is held of any variable then
   */
  public void store(List<Node> variables) {
    try {
      variables.forEach(this::store);
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  private void store(Node node) {
    if (!(node.kind() instanceof NodeKind.Variable(TensorView initial)) || stored.containsKey(node.name())) {
      throw new IllegalArgumentException("not a variable, or stored before: node=" + node.name());
    }
    Block block = allocator.allocate(Math.max(1, initial.type().bytes()), "variable/" + node.name());
    var memory = transfers.segment(block).asSlice(0, initial.type().bytes());
    stored.put(node.name(), new Stored(new TensorView(initial.type(), memory), block));
    transfers.upload(memory, initial.segment());
  }

  /**
   * The variable's memory.
   *
   * @throws IllegalArgumentException when there is no variable of this name
   */
  public TensorView view(String name) {
    Stored found = stored.get(name);
    if (found == null) {
      throw new IllegalArgumentException("no such variable: name=%s variables=%s".formatted(name, stored.keySet()));
    }
    return found.view();
  }

  @Override
  public void close() {
    stored.values().forEach(it -> allocator.free(it.block()));
    stored.clear();
  }
}
