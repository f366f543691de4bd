package dev.cairn.runtime.compile;

import dev.cairn.runtime.memory.analysis.StreamReuse;

/**
 * How a graph is compiled.
 *
 * @param planner which planner places the buffers
 * @param simplify whether the graph is simplified first; without it every node of the model runs as it is written
 * @param inPlace whether a result may be written over an input that dies
 * @param streams on how many streams the plan lets steps run at the same time, at least 1
 * @param streamReuse whose bytes a buffer may take when there are several streams
 */
public record CompileOptions(PlannerChoice planner, boolean simplify, boolean inPlace, int streams,
  StreamReuse streamReuse) {
  public static final CompileOptions DEFAULT = new CompileOptions(PlannerChoice.BEST_FIT, true, true, 1,
    StreamReuse.ORDERED);

  public CompileOptions {
    if (streams < 1) {
      throw new IllegalArgumentException("at least one stream: streams=" + streams);
    }
  }

  public CompileOptions withPlanner(PlannerChoice other) {
    return new CompileOptions(other, simplify, inPlace, streams, streamReuse);
  }

  public CompileOptions withSimplify(boolean wanted) {
    return new CompileOptions(planner, wanted, inPlace, streams, streamReuse);
  }

  public CompileOptions withInPlace(boolean wanted) {
    return new CompileOptions(planner, simplify, wanted, streams, streamReuse);
  }

  public CompileOptions withStreams(int wanted) {
    return new CompileOptions(planner, simplify, inPlace, wanted, streamReuse);
  }

  public CompileOptions withStreamReuse(StreamReuse wanted) {
    return new CompileOptions(planner, simplify, inPlace, streams, wanted);
  }
}
