package dev.cairn.runtime.train;

import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.graph.IndexedGraph;
import dev.cairn.runtime.memory.Buffer;
import dev.cairn.runtime.memory.FitVerdict;
import dev.cairn.runtime.memory.MemoryLimits;
import dev.cairn.runtime.memory.analysis.Place;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the live bytes of a plan's largest step belong to. */
record PhaseBytes(long activationBytes, long gradientBytes) {
  /** In the name of every node that computes a gradient. */
  private static final String GRADIENT = "/gradient";

  static PhaseBytes atPeak(CompiledGraph compiled) {
    List<Buffer> buffers = compiled.storage().problem().size() == 0
      ? List.of()
      : FitVerdict.of(compiled.storage().problem(), compiled.plan(), MemoryLimits.NONE).devices().getFirst().atPeak();
    Map<Buffer, String> makers = makers(compiled);
    long gradients = 0;
    long activations = 0;
    for (Buffer buffer : buffers) {
      if (isBackward(makers.getOrDefault(buffer, buffer.name()))) {
        gradients += buffer.reservedBytes();
      } else {
        activations += buffer.reservedBytes();
      }
    }
    return new PhaseBytes(activations, gradients);
  }

  /** Whether a node computes gradients or updates. */
  static boolean isBackward(String node) {
    return node.contains(GRADIENT) || isUpdate(node);
  }

  static boolean isUpdate(String node) {
    return node.startsWith(IterationGraph.UPDATE + "/");
  }

  /** The first node that writes each buffer. */
  private static Map<Buffer, String> makers(CompiledGraph compiled) {
    Map<Buffer, String> makers = new HashMap<>();
    IndexedGraph graph = compiled.graph();
    for (int id = 0; id < graph.nodeCount(); id++) {
      int end = id + 1 < graph.nodeCount() ? graph.firstEntryId(id + 1) : graph.entryCount();
      for (int entry = graph.firstEntryId(id); entry < end; entry++) {
        if (compiled.storage().places().get(entry) instanceof Place.Planned(int buffer)) {
          makers.putIfAbsent(compiled.storage().problem().buffer(buffer), graph.node(id).name());
        }
      }
    }
    return makers;
  }
}
