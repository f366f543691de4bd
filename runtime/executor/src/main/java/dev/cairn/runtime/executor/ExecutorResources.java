package dev.cairn.runtime.executor;

import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.Block;
import dev.cairn.kernels.device.Closing;
import dev.cairn.runtime.backend.RunTarget;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.executor.replay.ReplayCache;
import dev.cairn.runtime.memory.Pool;
import dev.cairn.runtime.memory.analysis.HostCopies;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * The resources that all graphs of one executor share: pools, streams, and the recordings of runs in them. Not
 * thread-safe; owns them.
 */
final class ExecutorResources implements AutoCloseable {
  private final Allocator allocator;
  private final RunTarget target;
  private final List<Taken> pools;
  private final ExecutorStreams streams;
  private final ReplayCache recordings = new ReplayCache(ReplayCache.MOST);

  /** A pool, and what it was taken from. */
  private record Taken(Block block, Allocator from, boolean isOnHost) {
    void free() {
      from.free(block);
    }
  }

  /** @throws dev.cairn.allocator.OutOfMemory when the pools do not fit; nothing is held then */
  ExecutorResources(CompiledGraph graph, Allocator allocator, RunTarget target) {
    this.allocator = allocator;
    this.target = target;
    this.pools = allocatePools(graph);
    try {
      this.streams = new ExecutorStreams(target.device(), graph.schedule());
    } catch (RuntimeException | Error e) {
      pools.forEach(Taken::free);
      throw e;
    }
  }

  private List<Taken> allocatePools(CompiledGraph graph) {
    var taken = new ArrayList<Taken>();
    try {
      for (int i = 0; i < graph.plan().pools().size(); i++) {
        Pool pool = graph.plan().pools().get(i);
        boolean isOnHost = pool.device() == HostCopies.HOST;
        Allocator from = isOnHost ? target.transfers().staging() : allocator;
        taken.add(new Taken(from.allocate(pool.bytes(), "plan/pool" + i), from, isOnHost));
      }
    } catch (RuntimeException | Error e) {
      taken.forEach(Taken::free);
      throw e;
    }
    return List.copyOf(taken);
  }

  Allocator allocator() {
    return allocator;
  }

  RunTarget target() {
    return target;
  }

  ExecutorStreams streams() {
    return streams;
  }

  ReplayCache recordings() {
    return recordings;
  }

  /** The pools as kernels and copies address them. */
  List<MemorySegment> pools() {
    return pools.stream().map(it -> it.isOnHost ? it.block.segment() : target.transfers().segment(it.block)).toList();
  }

  @Override
  public void close() {
    var closing = new Closing();
    closing.end(recordings::close);
    closing.end(streams::close);
    pools.forEach(it -> closing.end(it::free));
    closing.throwFailure();
  }
}
