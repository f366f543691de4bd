package dev.cairn.runtime.session;

import dev.cairn.allocator.Allocator;
import dev.cairn.kernels.device.DeviceId;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.backend.HostTransfers;
import dev.cairn.runtime.backend.LocatedView;
import dev.cairn.runtime.backend.Transfers;
import dev.cairn.runtime.budget.MemoryQueue;
import dev.cairn.runtime.executor.VariableStore;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.value.Tensor;
import dev.cairn.runtime.value.TensorMemory;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * The variables of a session, and a lock for the runs that use them. Runs of a graph that assigns to variables come one
 * after the other, each whole; runs of a graph that only reads them come together. Reading a value from outside waits
 * for runs that assign, setting one waits for all. Thread-safe.
 */
final class SessionVariables implements AutoCloseable {
  private static final DeviceId HOST = DeviceId.CPU;

  private final Graph graph;
  private final VariableStore store;
  private final Transfers transfers;
  private final MemoryQueue queue;
  /** Fair, so that runs which assign come in the order in which they were asked for. */
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock(true);

  /**
   * Holds nothing until {@link #placed}.
   *
   * @param queue counts the threads that wait for a run that uses variables
   */
  SessionVariables(Graph graph, Allocator allocator, Transfers transfers, MemoryQueue queue) {
    this.queue = queue;
    this.graph = graph;
    this.transfers = transfers;
    this.store = new VariableStore(allocator, transfers);
  }

  /**
   * These variables, in memory from now on.
   *
   * @throws dev.cairn.allocator.OutOfMemory when they do not fit; nothing is held then
   */
  SessionVariables placed() {
    store.store(graph.variables());
    return this;
  }

  /** Whether runs assign to variables. */
  boolean areAssigned() {
    return !graph.assigns().isEmpty();
  }

  /** The hold of a run on variables, from before it asks for memory until its outputs are copied. */
  Lock forRun() {
    return areAssigned() ? lock.writeLock() : lock.readLock();
  }

  /** The memory of these variables, in this order. */
  List<TensorView> views(List<Node> variables) {
    return variables.stream().map(variable -> store.view(variable.name())).toList();
  }

  /** The value for the host: where it lies, or a copy of a GPU's. The caller holds {@link #forRun}. */
  TensorView onHost(String name) {
    TensorView variable = store.view(name);
    return transfers.equals(HostTransfers.INSTANCE) ? variable : downloaded(variable).view();
  }

  /**
   * Sets variables to values in the host's memory. The caller holds {@link #forRun}.
   *
   * @throws InvalidGraph when a value has another type; nothing is set then
   */
  void assign(Map<String, TensorView> values) {
    values.forEach((name, value) -> {
      TensorType type = store.view(name).type();
      if (!value.type().equals(type)) {
        throw new InvalidGraph(name, "a variable cannot change its type: variable=%s assigned=%s".formatted(type, value
          .type()));
      }
    });
    values.forEach((name, value) -> transfers.upload(store.view(name).segment(), value.segment()));
  }

  private Tensor downloaded(TensorView variable) {
    return TensorMemory.filled(variable.type(), memory -> transfers.download(memory, variable.segment())).tensor();
  }

  /** A copy. */
  Tensor get(String name) {
    await(lock.readLock());
    try {
      return copied(name);
    } finally {
      lock.readLock().unlock();
    }
  }

  /** A copy, for a caller inside of a run, which holds {@link #forRun}. */
  Tensor copied(String name) {
    return downloaded(store.view(name));
  }

  private void await(Lock wanted) {
    queue.beginWait();
    try {
      wanted.lock();
    } finally {
      queue.endWait();
    }
  }

  /** Sets a variable to a copy of the value. The caller is not inside of a run, which would wait for itself. */
  void set(String name, Tensor value) {
    TensorView variable = store.view(name);
    if (!value.type().equals(variable.type())) {
      throw new IllegalArgumentException("a variable cannot change its type: name=%s variable=%s value=%s"
        .formatted(name, variable.type(), value.type()));
    }
    LocatedView given = TensorMemory.of(value).beginUse(HOST);
    await(lock.writeLock());
    try {
      transfers.upload(variable.segment(), given.view().segment());
    } finally {
      lock.writeLock().unlock();
      TensorMemory.of(value).endUse();
    }
  }

  @Override
  public void close() {
    store.close();
  }
}
