package dev.cairn.runtime.trace;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The times of one run, in arrays: a beginning and an end for each step, then for each copy. Serves one run after the
 * other; its tracer sees to it that no thread reads it meanwhile.
 */
final class RunTimesRecorder implements RunObserver {
  private static final long NEVER = Long.MIN_VALUE;

  private final Tracer tracer;
  private TracedGraph graph;
  private long number;
  private int lane;
  private final long[] nanos;
  private final int[] streams;
  private int steps;
  private long askedNanos;
  private long admittedNanos;
  private long endNanos;
  private boolean failed;
  /** The graph's steps and copies, where some were found out while the run went on. */
  private @Nullable List<TracedStep> foundSteps;
  private @Nullable List<TracedCopy> foundCopies;

  RunTimesRecorder(Tracer tracer, TracedGraph graph) {
    this.tracer = tracer;
    this.graph = graph;
    this.nanos = new long[wanted(graph)];
    this.streams = new int[graph.steps().size()];
  }

  private static int wanted(TracedGraph graph) {
    return 2 * (graph.steps().size() + graph.copies().size());
  }

  /** Whether its arrays are long enough, and not much too long. */
  boolean serves(TracedGraph other) {
    int wanted = wanted(other);
    return nanos.length >= wanted && nanos.length / 2 <= wanted && streams.length >= other.steps().size();
  }

  void begin(TracedGraph newGraph, long newNumber, int newLane) {
    graph = newGraph;
    number = newNumber;
    lane = newLane;
    steps = newGraph.steps().size();
    failed = false;
    admittedNanos = NEVER;
    forget();
    askedNanos = System.nanoTime();
  }

  private void forget() {
    Arrays.fill(nanos, NEVER);
    foundSteps = null;
    foundCopies = null;
  }

  int lane() {
    return lane;
  }

  @Override
  public void admitted() {
    if (admittedNanos != NEVER) {
      // The run begins again, so its earlier times do not count.
      forget();
    }
    admittedNanos = System.nanoTime();
  }

  @Override
  public void stepBegan(int step, int stream) {
    streams[step] = stream;
    nanos[2 * step] = System.nanoTime();
  }

  @Override
  public void stepFound(int step, TracedStep found) {
    List<TracedStep> known = foundSteps;
    if (known == null) {
      known = new ArrayList<>(graph.steps());
      foundSteps = known;
    }
    known.set(step, found);
  }

  @Override
  public void stepEnded(int step, int stream) {
    nanos[2 * step + 1] = System.nanoTime();
  }

  @Override
  public void copyBegan(int copy) {
    nanos[2 * (steps + copy)] = System.nanoTime();
  }

  @Override
  public void copyFound(int copy, TracedCopy found) {
    List<TracedCopy> known = foundCopies;
    if (known == null) {
      known = new ArrayList<>(graph.copies());
      foundCopies = known;
    }
    known.set(copy, found);
  }

  @Override
  public void copyEnded(int copy) {
    nanos[2 * (steps + copy) + 1] = System.nanoTime();
  }

  @Override
  public void ended(boolean hasFailed) {
    failed = hasFailed;
    endNanos = System.nanoTime();
    tracer.keep(this);
  }

  /** The recorded events, with times from {@code origin} on. */
  TracedRun run(long origin) {
    List<Span> stepSpans = new ArrayList<>();
    for (int step = 0; step < steps; step++) {
      addSpan(stepSpans, step, step, streams[step], origin);
    }
    List<Span> copySpans = new ArrayList<>();
    for (int copy = 0; copy < graph.copies().size(); copy++) {
      addSpan(copySpans, copy, steps + copy, 0, origin);
    }
    long began = admittedNanos == NEVER ? endNanos : admittedNanos;
    return new TracedRun(number, lane, graphAsFound(), askedNanos - origin, began - origin, endNanos - origin, failed,
      stepSpans, copySpans);
  }

  private TracedGraph graphAsFound() {
    List<TracedStep> knownSteps = foundSteps;
    List<TracedCopy> knownCopies = foundCopies;
    return knownSteps == null && knownCopies == null
      ? graph
      : new TracedGraph(graph.name(), graph.device(), graph.streams(), graph.planBytes(), knownSteps == null
        ? graph.steps()
        : knownSteps, knownCopies == null ? graph.copies() : knownCopies);
  }

  private void addSpan(List<Span> spans, int index, int at, int stream, long origin) {
    long began = nanos[2 * at];
    long ended = nanos[2 * at + 1];
    if (began != NEVER) {
      spans.add(new Span(index, stream, began - origin, (ended == NEVER ? endNanos : ended) - origin, ended != NEVER));
    }
  }
}
