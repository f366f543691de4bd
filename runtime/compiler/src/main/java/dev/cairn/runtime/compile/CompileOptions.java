package dev.cairn.runtime.compile;

import dev.cairn.runtime.memory.analysis.StreamReuse;
import dev.cairn.runtime.pass.PlacedPass;
import dev.cairn.runtime.pass.quantize.QuantizedPasses;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * How Cairn compiles a graph.
 *
 * @param planner the planner that places the buffers
 * @param simplify whether to simplify the graph first; if not, every node runs as the model has it, except
 *   for control flow that is decided before a run
 * @param attention whether to replace attention written as matrix products and a softmax by one step that stores no
 *   scores; requires {@code simplify}
 * @param fusion on which devices to fuse neighbouring element-wise operators into one step
 * @param inPlace whether a step may overwrite an input that no later step reads
 * @param reorder whether to reorder the steps if that makes the plan smaller, and to update variables as early as
 *   possible; results stay identical to the bit
 * @param streams how many streams the plan lets steps use concurrently, at least 1; whole-graph planners support one
 * @param streamReuse which bytes a buffer may reuse when there are several streams
 * @param streamMemory the largest plan for several streams, as a multiple of the one-stream plan, at least 1; branches
 *   that would need more run on one stream
 * @param precision the type in which to compute a {@code float32} model; other types than its own require {@code
 *   simplify}
 * @param channelsLast whether convolutions may compute on images with their channels last, where the device is faster
 *   so; requires {@code simplify}
 * @param quantized which fusions of quantised operators to make; they require {@code simplify}
 * @param unrolling whether a loop of few trips, whose number is known, becomes the nodes of each trip
 * @param passes passes of users, in the order in which they were added
 * @param recompute whether steps run again where a model needs more memory than it may take
 */
public record CompileOptions(PlannerChoice planner, boolean simplify, boolean attention, FusionChoice fusion,
  boolean inPlace, boolean reorder, int streams, StreamReuse streamReuse, double streamMemory, Precision precision,
  boolean channelsLast, QuantizedPasses quantized, boolean unrolling, List<PlacedPass> passes,
  RecomputeOptions recompute) {
  public static final CompileOptions DEFAULT = new CompileOptions(PlannerChoice.BEST_FIT, true, true,
    FusionChoice.AUTO, true, true, 1, StreamReuse.ORDERED, 1.1, Precision.AS_WRITTEN, true, QuantizedPasses.ALL,
    true, List.of(), RecomputeOptions.DEFAULT);

  public CompileOptions {
    passes = List.copyOf(passes);
    requireDifferentNames(passes);
    if (streams < 1) {
      throw new IllegalArgumentException("at least one stream is needed: streams=" + streams);
    }
    if (streams > 1 && planner.ofGraphs().isPresent()) {
      throw new IllegalArgumentException("planner supports one stream only: planner=%s streams=%d".formatted(planner,
        streams));
    }
    if (!(streamMemory >= 1)) {
      throw new IllegalArgumentException("stream memory must be at least 1: streamMemory=" + streamMemory);
    }
  }

  private static void requireDifferentNames(List<PlacedPass> passes) {
    Set<String> names = new HashSet<>();
    for (PlacedPass each : passes) {
      if (!names.add(each.pass().name())) {
        throw new IllegalArgumentException("two passes have one name: pass=%s".formatted(each.pass().name()));
      }
    }
  }

  public CompileOptions withPlanner(PlannerChoice other) {
    return new CompileOptions(other, simplify, attention, fusion, inPlace, reorder, streams, streamReuse,
      streamMemory, precision, channelsLast, quantized, unrolling, passes, recompute);
  }

  public CompileOptions withSimplify(boolean wanted) {
    return new CompileOptions(planner, wanted, attention, fusion, inPlace, reorder, streams, streamReuse,
      streamMemory, precision, channelsLast, quantized, unrolling, passes, recompute);
  }

  public CompileOptions withAttention(boolean wanted) {
    return new CompileOptions(planner, simplify, wanted, fusion, inPlace, reorder, streams, streamReuse, streamMemory,
      precision, channelsLast, quantized, unrolling, passes, recompute);
  }

  public CompileOptions withFusion(FusionChoice wanted) {
    return new CompileOptions(planner, simplify, attention, wanted, inPlace, reorder, streams, streamReuse,
      streamMemory, precision, channelsLast, quantized, unrolling, passes, recompute);
  }

  public CompileOptions withInPlace(boolean wanted) {
    return new CompileOptions(planner, simplify, attention, fusion, wanted, reorder, streams, streamReuse,
      streamMemory, precision, channelsLast, quantized, unrolling, passes, recompute);
  }

  public CompileOptions withReorder(boolean wanted) {
    return new CompileOptions(planner, simplify, attention, fusion, inPlace, wanted, streams, streamReuse,
      streamMemory, precision, channelsLast, quantized, unrolling, passes, recompute);
  }

  public CompileOptions withStreams(int wanted) {
    return new CompileOptions(planner, simplify, attention, fusion, inPlace, reorder, wanted, streamReuse,
      streamMemory, precision, channelsLast, quantized, unrolling, passes, recompute);
  }

  public CompileOptions withStreamReuse(StreamReuse wanted) {
    return new CompileOptions(planner, simplify, attention, fusion, inPlace, reorder, streams, wanted, streamMemory,
      precision, channelsLast, quantized, unrolling, passes, recompute);
  }

  public CompileOptions withStreamMemory(double most) {
    return new CompileOptions(planner, simplify, attention, fusion, inPlace, reorder, streams, streamReuse, most,
      precision, channelsLast, quantized, unrolling, passes, recompute);
  }

  public CompileOptions withPrecision(Precision wanted) {
    return new CompileOptions(planner, simplify, attention, fusion, inPlace, reorder, streams, streamReuse,
      streamMemory, wanted, channelsLast, quantized, unrolling, passes, recompute);
  }

  public CompileOptions withChannelsLast(boolean wanted) {
    return new CompileOptions(planner, simplify, attention, fusion, inPlace, reorder, streams, streamReuse,
      streamMemory, precision, wanted, quantized, unrolling, passes, recompute);
  }

  public CompileOptions withQuantized(QuantizedPasses wanted) {
    return new CompileOptions(planner, simplify, attention, fusion, inPlace, reorder, streams, streamReuse,
      streamMemory, precision, channelsLast, wanted, unrolling, passes, recompute);
  }

  public CompileOptions withUnrolling(boolean wanted) {
    return new CompileOptions(planner, simplify, attention, fusion, inPlace, reorder, streams, streamReuse,
      streamMemory, precision, channelsLast, quantized, wanted, passes, recompute);
  }

  /**
   * These options with one more pass, at its place among Cairn's own. Compiling fails with {@link
   * IllegalArgumentException} if the place does not exist, a pass of Cairn has this name, or a fact that it requires is
   * not there.
   *
   * @throws IllegalArgumentException when another pass of these options has this name
   */
  public CompileOptions withPass(PlacedPass pass) {
    List<PlacedPass> more = new ArrayList<>(passes);
    more.add(pass);
    return new CompileOptions(planner, simplify, attention, fusion, inPlace, reorder, streams, streamReuse,
      streamMemory, precision, channelsLast, quantized, unrolling, more, recompute);
  }

  /** These options without passes of users. */
  CompileOptions withoutPasses() {
    return new CompileOptions(planner, simplify, attention, fusion, inPlace, reorder, streams, streamReuse,
      streamMemory, precision, channelsLast, quantized, unrolling, List.of(), recompute);
  }

  public CompileOptions withRecompute(RecomputeOptions wanted) {
    return new CompileOptions(planner, simplify, attention, fusion, inPlace, reorder, streams, streamReuse,
      streamMemory, precision, channelsLast, quantized, unrolling, passes, wanted);
  }
}
