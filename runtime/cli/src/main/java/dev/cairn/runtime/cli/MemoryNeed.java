package dev.cairn.runtime.cli;

import dev.cairn.allocator.Alignment;
import dev.cairn.allocator.report.StatsText;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.Compiler;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.memory.MemoryPlan;
import dev.cairn.runtime.memory.Pool;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a session takes for one run at a time, in bytes of the allocator's chunks.
 *
 * @param weightBytes constants, once for all runs
 * @param planBytes the pools of the plan
 * @param resultBytes the outputs, which the caller keeps until they are closed
 */
record MemoryNeed(long weightBytes, long planBytes, long resultBytes) {
  static MemoryNeed of(CompiledGraph graph) {
    long weights = 0;
    for (Node constant : graph.storage().constants()) {
      weights += Alignment.up(graph.types().type(constant.entry()).bytes(), Compiler.BUFFER_ALIGNMENT);
    }
    long results = 0;
    for (TensorType output : graph.outputTypes().values()) {
      results += chunk(output.bytes());
    }
    return new MemoryNeed(chunk(weights), inChunks(graph.plan()).peakBytes(), results);
  }

  /** The plan with its pools as large as the chunks that the allocator gives for them. */
  static MemoryPlan inChunks(MemoryPlan plan) {
    List<Pool> pools = plan.pools().stream()
      .map(it -> new Pool(chunk(it.bytes()), it.alignment(), it.device())).toList();
    return new MemoryPlan(plan.planner(), pools, plan.placements());
  }

  private static long chunk(long bytes) {
    return Alignment.up(bytes, Alignment.CHUNK_BYTES);
  }

  long totalBytes() {
    return weightBytes + planBytes + resultBytes;
  }

  /** What is needed at least, whoever plans: the plan can't be smaller than the lower bound. */
  long leastBytes(long boundBytes) {
    return weightBytes + chunk(boundBytes) + resultBytes;
  }

  /** The sum and its parts in a line. */
  String text() {
    return "%s: weights %s, plan %s, results %s".formatted(StatsText.bytes(totalBytes()), StatsText.bytes(weightBytes),
      StatsText.bytes(planBytes), StatsText.bytes(resultBytes));
  }

  Map<String, Object> document() {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("totalBytes", totalBytes());
    document.put("weightBytes", weightBytes);
    document.put("planBytes", planBytes);
    document.put("resultBytes", resultBytes);
    return document;
  }
}
