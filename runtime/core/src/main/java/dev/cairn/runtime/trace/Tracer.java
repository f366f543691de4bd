package dev.cairn.runtime.trace;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;

/**
 * Records runs and keeps the last ones. Any number of sessions and threads may share one. Thread-safe.
 *
 * <p>A run writes its times into arrays that were made before; those of a run that is forgotten serve a later one. So
 * once as many runs were kept as may be, tracing a step takes two looks at the clock and makes no garbage.
 */
public final class Tracer implements RunObserver.Source {
  /** Records nothing. */
  public static final Tracer OFF = new Tracer(0);

  private final int mostRuns;
  private final long originNanos = System.nanoTime();
  private final Instant startedAt = Instant.now();
  private final Deque<RunTimesRecorder> kept = new ArrayDeque<>();
  private final Deque<RunTimesRecorder> spare = new ArrayDeque<>();
  private final BitSet lanes = new BitSet();
  private long begun;
  private long forgotten;

  private Tracer(int mostRuns) {
    this.mostRuns = mostRuns;
  }

  /** @param runs how many are kept, at least 1; of more, the last ones */
  public static Tracer keeping(int runs) {
    if (runs < 1) {
      throw new IllegalArgumentException("a tracer that keeps nothing: runs=" + runs);
    }
    return new Tracer(runs);
  }

  public boolean isOn() {
    return mostRuns > 0;
  }

  /** A run of this graph is asked for now; it is kept when its observer is told that it ended. */
  @Override
  public RunObserver observe(TracedGraph graph) {
    return isOn() ? recorder(graph) : RunObserver.NONE;
  }

  private synchronized RunTimesRecorder recorder(TracedGraph graph) {
    RunTimesRecorder last = spare.poll();
    RunTimesRecorder recorder = last != null && last.serves(graph) ? last : new RunTimesRecorder(this, graph);
    int lane = lanes.nextClearBit(0);
    lanes.set(lane);
    recorder.begin(graph, begun++, lane);
    return recorder;
  }

  /** Keeps a run that ended. */
  synchronized void keep(RunTimesRecorder recorder) {
    lanes.clear(recorder.lane());
    kept.addLast(recorder);
    if (kept.size() > mostRuns) {
      spare.push(kept.removeFirst());
      forgotten++;
    }
  }

  /** The runs that are kept now, as values. */
  public synchronized Trace trace() {
    return new Trace(startedAt, kept.stream().map(it -> it.run(originNanos)).toList(), forgotten);
  }

  /** Forgets all runs that ended, after a warm-up for example; they do not count as forgotten. */
  public synchronized void clear() {
    spare.addAll(kept);
    kept.clear();
    forgotten = 0;
  }
}
