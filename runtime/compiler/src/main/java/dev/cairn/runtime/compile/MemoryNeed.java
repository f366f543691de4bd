package dev.cairn.runtime.compile;

import dev.cairn.allocator.Alignment;
import dev.cairn.allocator.report.StatsText;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.memory.FitVerdict;
import dev.cairn.runtime.memory.MemoryLimits;
import dev.cairn.runtime.memory.MemoryPlan;
import dev.cairn.runtime.memory.Pool;
import dev.cairn.runtime.memory.analysis.HostCopies;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The memory that a session needs on its device if runs do not overlap, in bytes of the allocator's chunks.
 *
 * @param weightBytes constants, shared by all runs, without streamed ones
 * @param variableBytes variables, each in chunks of its own
 * @param planBytes the pools of the plan, without those in the host's memory
 * @param inputBytes copies of the inputs on a GPU; 0 on the processor, which reads the caller's tensors
 * @param resultBytes on the processor, the outputs until the caller closes them; 0 on a GPU, which copies results to
 *   host memory
 * @param scratchBytes on the processor, memory to compute constants while weights are placed, before there is a plan
 */
public record MemoryNeed(long weightBytes, long variableBytes, long planBytes, long inputBytes, long resultBytes,
  long scratchBytes) {
  /** @param isHost whether kernels read and write host memory */
  public static MemoryNeed of(CompiledGraph graph, boolean isHost) {
    Set<Node> streamed = graph.streamedConstants();
    List<Node> resident = graph.storage().constants().stream().filter(it -> !streamed.contains(it)).toList();
    long weights = placedBytes(graph, it -> !streamed.contains(it));
    long variables = graph.storage().variables().variables().stream().map(it -> graph.types().type(it.entry()))
      .mapToLong(it -> chunk(Math.max(it.bytes(), 1))).sum();
    long inputs = isHost
      ? 0
      : graph.graph().graph().inputs().stream().mapToLong(it -> chunk(graph.types().type(it.entry()).bytes())).sum();
    long results = isHost ? graph.outputTypes().values().stream().mapToLong(it -> chunk(it.bytes())).sum() : 0;
    return new MemoryNeed(resident.isEmpty() ? 0 : chunk(Math.max(weights, 1)), variables,
      planBytes(graph.plan()), inputs, results, isHost
        ? ConstantScratch.mostBytes(resident)
        : 0);
  }

  /** The bytes of constants in one block. Constants of one source are stored once. */
  static long placedBytes(CompiledGraph graph, Predicate<Node> isPlaced) {
    return graph.storage().constants().stream().filter(isPlaced).flatMap(it -> it.constant().stream()).distinct()
      .mapToLong(it -> Alignment.up(it.type().bytes(), GraphPlanning.BUFFER_ALIGNMENT)).sum();
  }

  /** The plan with pools as large as the chunks that the allocator grants for them. */
  public static MemoryPlan inChunks(MemoryPlan plan) {
    List<Pool> pools = plan.pools().stream()
      .map(it -> new Pool(chunk(it.bytes()), it.alignment(), it.device())).toList();
    return new MemoryPlan(plan.planner(), pools, plan.placements());
  }

  /** The bytes of a plan's pools on the model's device, in chunks. */
  static long planBytes(MemoryPlan plan) {
    return inChunks(plan).pools().stream().filter(it -> it.device() != HostCopies.HOST).mapToLong(Pool::bytes).sum();
  }

  static long chunk(long bytes) {
    return Alignment.up(bytes, Alignment.CHUNK_BYTES);
  }

  /** The larger of the bytes of a run and the bytes of placing the weights. */
  public long totalBytes() {
    return totalBytes(planBytes);
  }

  /** Like {@link #totalBytes()}, with a plan of other bytes. */
  public long totalBytes(long otherPlanBytes) {
    return variableBytes + Math.max(weightBytes + inputBytes + resultBytes + otherPlanBytes, weightBytes
      + scratchBytes);
  }

  /** Bytes beside the plan. */
  public long besidePlanBytes() {
    return totalBytes() - planBytes;
  }

  /** The least that any planner needs: no plan is smaller than its lower bound. */
  public long leastBytes(long boundBytes) {
    return totalBytes(chunk(boundBytes));
  }

  /**
   * Whether the graph fits a limit. If its steps may run again, the least is what one step needs by itself, and what no
   * mode can stream.
   *
   * @param compiled whose need this is
   * @param others other plans of the graph, in chunks
   */
  public FitVerdict verdict(CompiledGraph compiled, OptionalLong limitBytes, List<MemoryPlan> others) {
    MemoryLimits taken = MemoryLimits.NONE.withTaken(0, besidePlanBytes());
    MemoryLimits limits = limitBytes.isPresent() ? taken.with(0, limitBytes.getAsLong()) : taken;
    FitVerdict verdict = FitVerdict.of(compiled.storage().problem(), inChunks(compiled.plan()), limits, others)
      .withBound(0, leastBytes(compiled.score().boundBytes()));
    Optional<Long> least = compiled.streamed().map(Streamed::leastBytes).or(() -> compiled.recomputed().map(
      Recomputed::leastBytes));
    return least.isPresent() ? verdict.withLeast(0, least.get()) : verdict;
  }

  /** The total and its parts on one line. */
  @Override
  public String toString() {
    String others = (inputBytes > 0 ? ", inputs " + StatsText.bytes(inputBytes) : "") + (resultBytes > 0
      ? ", results " + StatsText.bytes(resultBytes)
      : "")
      + (totalBytes() > weightBytes + variableBytes + planBytes + inputBytes + resultBytes
        ? ", while weights are placed " + StatsText.bytes(scratchBytes)
        : "");
    String variables = variableBytes > 0 ? ", variables " + StatsText.bytes(variableBytes) : "";
    return "%s: weights %s%s, plan %s%s".formatted(StatsText.bytes(totalBytes()), StatsText.bytes(weightBytes),
      variables, StatsText.bytes(planBytes), others);
  }
}
