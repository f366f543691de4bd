package dev.cairn.runtime.session;

import dev.cairn.allocator.layer.Damage;
import dev.cairn.allocator.layer.GuardingAllocator;
import dev.cairn.runtime.trace.RunObserver;
import dev.cairn.runtime.trace.TracedGraph;
import java.util.List;

/** Looks at the red zones after each step of one run. */
final class RedZoneCheck implements RunObserver {
  private final GuardingAllocator zones;
  private final TracedGraph graph;

  RedZoneCheck(GuardingAllocator zones, TracedGraph graph) {
    this.zones = zones;
    this.graph = graph;
  }

  @Override
  public void stepEnded(int step, int stream) {
    List<Damage> damages = zones.takeDamages();
    if (!damages.isEmpty()) {
      throw new MemoryDamaged(graph.steps().get(step), step, damages);
    }
  }
}
