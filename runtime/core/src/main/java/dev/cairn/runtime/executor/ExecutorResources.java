package dev.cairn.runtime.executor;

import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.Block;
import dev.cairn.runtime.backend.RunTarget;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.executor.replay.ReplayCache;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * What all graphs that one executor may run share: pools, streams, and the recordings of runs in them. Not thread-safe;
 * owns them.
 */
final class ExecutorResources implements AutoCloseable {
  private final Allocator allocator;
  private final RunTarget target;
  private final List<Block> pools;
  private final ExecutorStreams streams;
  private final ReplayCache recordings = new ReplayCache(ReplayCache.MOST);

  /** @throws dev.cairn.allocator.OutOfMemory when the pools do not fit; nothing is held then */
  ExecutorResources(CompiledGraph graph, Allocator allocator, RunTarget target) {
    this.allocator = allocator;
    this.target = target;
    this.pools = allocatePools(graph);
    try {
      this.streams = new ExecutorStreams(target.device(), graph.schedule());
    } catch (RuntimeException | Error e) {
      pools.forEach(allocator::free);
      throw e;
    }
  }

  private List<Block> allocatePools(CompiledGraph graph) {
    var taken = new ArrayList<Block>();
    try {
      for (int i = 0; i < graph.plan().pools().size(); i++) {
        taken.add(allocator.allocate(graph.plan().pools().get(i).bytes(), "plan/pool" + i));
      }
    } catch (RuntimeException | Error e) {
      taken.forEach(allocator::free);
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

  /** The pools as kernels address them. */
  List<MemorySegment> pools() {
    return pools.stream().map(target.transfers()::segment).toList();
  }

  @Override
  public void close() {
    try {
      recordings.close();
      streams.close();
    } finally {
      pools.forEach(allocator::free);
    }
  }
}
