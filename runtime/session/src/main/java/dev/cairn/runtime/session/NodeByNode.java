package dev.cairn.runtime.session;

import dev.cairn.allocator.Allocator;
import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.device.Device;
import dev.cairn.runtime.backend.Backend;
import dev.cairn.runtime.custom.OperatorRegistry;
import dev.cairn.runtime.engine.Engine;
import dev.cairn.runtime.engine.EngineOptions;
import dev.cairn.runtime.executor.DynamicExecutor;
import dev.cairn.runtime.executor.DynamicMemory;
import dev.cairn.runtime.executor.WeightStore;
import dev.cairn.runtime.graph.Graph;
import org.jspecify.annotations.Nullable;

/**
 * Makes what runs a session's nodes without a plan: on the processor, also where a GPU runs the planned parts. Owns the
 * engine that runs their branches. Thread-safe.
 */
final class NodeByNode implements AutoCloseable {
  private final OperatorRegistry operators;
  private final KernelCatalog kernels;
  private final DynamicMemory memory;
  private final Device host;
  private final int threads;
  private @Nullable Engine engine;

  /**
   * @param weights of the session, which serve where the processor is its device
   * @param threads of the session; with one, the caller of a run does all
   */
  NodeByNode(Backend backend, OperatorRegistry operators, SessionMemory memory, WeightStore weights, Device host,
    int threads) {
    boolean isHost = backend.target().isHost();
    this.operators = operators;
    this.kernels = isHost ? backend.catalog(operators) : operators.onHost(backend.hostCatalog());
    this.memory = isHost
      ? new DynamicMemory(memory.pool(), weights)
      : new DynamicMemory(memory.hostRegions(), new WeightStore(memory.hostRegions()));
    this.host = host;
    this.threads = threads;
  }

  /** From where values come that lie between parts. */
  Allocator values() {
    return memory.allocator();
  }

  /** @throws dev.cairn.runtime.operator.UnsupportedOperators when there is no such operator */
  Graph required(Graph graph) {
    DynamicExecutor.requireOperators(graph, operators.table());
    return graph;
  }

  /** Closed before this one. */
  DynamicExecutor executor(Graph part) {
    return new DynamicExecutor(part, operators.table(), kernels, memory, host, engine());
  }

  private synchronized @Nullable Engine engine() {
    if (engine == null && threads > 1) {
      engine = Engine.open(EngineOptions.DEFAULT.withKind(EngineOptions.Kind.POOLED).withThreads(
        EngineOptions.Threads.DEFAULT.withPooled(threads)));
    }
    return engine;
  }

  @Override
  public synchronized void close() {
    if (engine != null) {
      engine.close();
    }
  }
}
