package dev.cairn.runtime.compile;

import dev.cairn.allocator.Alignment;
import dev.cairn.allocator.report.StatsText;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.memory.MemoryPlan;
import dev.cairn.runtime.memory.Pool;
import java.util.List;

/**
 * What a session takes of its device for one run at a time, in bytes of the allocator's chunks.
 *
 * @param weightBytes constants, once for all runs
 * @param planBytes the pools of the plan
 * @param inputBytes the inputs' copy on a GPU; 0 on the processor, which reads the caller's
 * @param resultBytes on the processor, the outputs, which the caller keeps until they are closed; 0 on a GPU, whose
 *   results are copied to the host's memory
 * @param scratchBytes on the processor, what it takes to compute constants while they are placed, before there is a plan
 */
public record MemoryNeed(long weightBytes, long planBytes, long inputBytes, long resultBytes, long scratchBytes) {
  /** @param isHost whether kernels read and write the host's memory */
  public static MemoryNeed of(CompiledGraph graph, boolean isHost) {
    long weights = 0;
    for (Node constant : graph.storage().constants()) {
      weights += Alignment.up(graph.types().type(constant.entry()).bytes(), Compiler.BUFFER_ALIGNMENT);
    }
    long inputs = 0;
    for (Node input : graph.graph().graph().inputs()) {
      inputs += isHost ? 0 : chunk(graph.types().type(input.entry()).bytes());
    }
    long results = 0;
    for (TensorType output : graph.outputTypes().values()) {
      results += isHost ? chunk(output.bytes()) : 0;
    }
    return new MemoryNeed(chunk(weights), inChunks(graph.plan()).peakBytes(), inputs, results, isHost
      ? ConstantScratch.mostBytes(graph.storage().constants())
      : 0);
  }

  /** The plan with its pools as large as the chunks that the allocator gives for them. */
  public static MemoryPlan inChunks(MemoryPlan plan) {
    List<Pool> pools = plan.pools().stream()
      .map(it -> new Pool(chunk(it.bytes()), it.alignment(), it.device())).toList();
    return new MemoryPlan(plan.planner(), pools, plan.placements());
  }

  private static long chunk(long bytes) {
    return Alignment.up(bytes, Alignment.CHUNK_BYTES);
  }

  /** The larger of what a run takes and what it takes to place the weights. */
  public long totalBytes() {
    return besidePlanBytes() + planBytes;
  }

  /** What is not the plan's, whoever plans. */
  public long besidePlanBytes() {
    long running = weightBytes + inputBytes + resultBytes;
    return Math.max(running, weightBytes + scratchBytes - planBytes);
  }

  /** What is needed at least, whoever plans: the plan can't be smaller than the lower bound. */
  public long leastBytes(long boundBytes) {
    return Math.max(weightBytes + inputBytes + resultBytes + chunk(boundBytes), weightBytes + scratchBytes);
  }

  /** The total and its parts in a line. */
  @Override
  public String toString() {
    String others = (inputBytes > 0 ? ", inputs " + StatsText.bytes(inputBytes) : "") + (resultBytes > 0
      ? ", results " + StatsText.bytes(resultBytes)
      : "") + (totalBytes() > weightBytes + planBytes + inputBytes + resultBytes
        ? ", while weights are placed " + StatsText.bytes(scratchBytes)
        : "");
    return "%s: weights %s, plan %s%s".formatted(StatsText.bytes(totalBytes()), StatsText.bytes(weightBytes), StatsText
      .bytes(planBytes), others);
  }
}
