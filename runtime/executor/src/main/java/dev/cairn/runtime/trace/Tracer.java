package dev.cairn.runtime.trace;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;

/**
 * Records runs and keeps the latest ones. Sessions and threads may share a tracer. Thread-safe.
 *
 * <p>A run writes its times into preallocated arrays; later runs reuse the arrays of dropped runs. Once the tracer is
 * full, tracing a step reads the clock twice and allocates nothing.
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

  /** @param runs how many of the latest runs to keep, at least 1 */
  public static Tracer keeping(int runs) {
    if (runs < 1) {
      throw new IllegalArgumentException("a tracer must keep at least 1 run: runs=" + runs);
    }
    return new Tracer(runs);
  }

  public boolean isOn() {
    return mostRuns > 0;
  }

  /** Called when a caller requests a run of this graph. The tracer keeps the run when it ends. */
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

  /** Keeps a completed run. */
  synchronized void keep(RunTimesRecorder recorder) {
    lanes.clear(recorder.lane());
    kept.addLast(recorder);
    if (kept.size() > mostRuns) {
      spare.push(kept.removeFirst());
      forgotten++;
    }
  }

  /** The runs that the tracer keeps now. */
  public synchronized Trace trace() {
    return new Trace(startedAt, kept.stream().map(it -> it.run(originNanos)).toList(), forgotten);
  }

  /** Drops all completed runs, for example after a warm-up. They do not count as {@link Trace#forgotten}. */
  public synchronized void clear() {
    spare.addAll(kept);
    kept.clear();
    forgotten = 0;
  }
}
