package dev.cairn.runtime.compile;

import dev.cairn.runtime.memory.analysis.StreamReuse;

/**
 * How a graph is compiled.
 *
 * @param planner which planner places the buffers
 * @param simplify whether the graph is simplified first; without it every node of the model runs as it is written
 * @param attention whether attention, where it is written as products and a softmax, becomes one step that keeps no
 *   scores in memory; only where the graph is simplified
 * @param fusion where neighbours that compute each element by itself become one step
 * @param inPlace whether a result may be written over an input that dies
 * @param reorder whether the steps may run in another order than the graph's, where the plan is smaller then; results
 *   are the same to the bit. Graphs with variables keep the order
 * @param streams on how many streams the plan lets steps run at the same time, at least 1; planners of whole graphs
 *   know one
 * @param streamReuse whose bytes a buffer may take when there are several streams
 * @param streamMemory the most that the plan may take when there are several streams, in peaks of the plan for one;
 *   branches that cost more run in line. At least 1
 * @param precision in which type a {@code float32} model is computed; another than its own only where it is simplified
 */
public record CompileOptions(PlannerChoice planner, boolean simplify, boolean attention, FusionChoice fusion,
  boolean inPlace, boolean reorder, int streams, StreamReuse streamReuse, double streamMemory, Precision precision) {
  public static final CompileOptions DEFAULT = new CompileOptions(PlannerChoice.BEST_FIT, true, true,
    FusionChoice.ON_GPU, true, true, 1, StreamReuse.ORDERED, 1.1, Precision.AS_WRITTEN);

  public CompileOptions {
    if (streams < 1) {
      throw new IllegalArgumentException("at least one stream: streams=" + streams);
    }
    if (streams > 1 && planner.nnvm().isPresent()) {
      throw new IllegalArgumentException("planner plans for one stream only: planner=%s streams=%d".formatted(planner,
        streams));
    }
    if (!(streamMemory >= 1)) {
      throw new IllegalArgumentException("at least what one stream takes: streamMemory=" + streamMemory);
    }
  }

  public CompileOptions withPlanner(PlannerChoice other) {
    return new CompileOptions(other, simplify, attention, fusion, inPlace, reorder, streams, streamReuse,
      streamMemory, precision);
  }

  public CompileOptions withSimplify(boolean wanted) {
    return new CompileOptions(planner, wanted, attention, fusion, inPlace, reorder, streams, streamReuse,
      streamMemory, precision);
  }

  public CompileOptions withAttention(boolean wanted) {
    return new CompileOptions(planner, simplify, wanted, fusion, inPlace, reorder, streams, streamReuse, streamMemory,
      precision);
  }

  public CompileOptions withFusion(FusionChoice wanted) {
    return new CompileOptions(planner, simplify, attention, wanted, inPlace, reorder, streams, streamReuse,
      streamMemory, precision);
  }

  public CompileOptions withInPlace(boolean wanted) {
    return new CompileOptions(planner, simplify, attention, fusion, wanted, reorder, streams, streamReuse,
      streamMemory, precision);
  }

  public CompileOptions withReorder(boolean wanted) {
    return new CompileOptions(planner, simplify, attention, fusion, inPlace, wanted, streams, streamReuse,
      streamMemory, precision);
  }

  public CompileOptions withStreams(int wanted) {
    return new CompileOptions(planner, simplify, attention, fusion, inPlace, reorder, wanted, streamReuse,
      streamMemory, precision);
  }

  public CompileOptions withStreamReuse(StreamReuse wanted) {
    return new CompileOptions(planner, simplify, attention, fusion, inPlace, reorder, streams, wanted, streamMemory,
      precision);
  }

  public CompileOptions withStreamMemory(double most) {
    return new CompileOptions(planner, simplify, attention, fusion, inPlace, reorder, streams, streamReuse, most,
      precision);
  }

  public CompileOptions withPrecision(Precision wanted) {
    return new CompileOptions(planner, simplify, attention, fusion, inPlace, reorder, streams, streamReuse,
      streamMemory, wanted);
  }
}
