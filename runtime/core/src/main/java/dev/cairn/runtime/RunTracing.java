package dev.cairn.runtime;

import dev.cairn.runtime.executor.RunListener;
import dev.cairn.runtime.executor.StepFacts;
import dev.cairn.runtime.trace.RunProbe;
import dev.cairn.runtime.trace.TracedGraph;
import dev.cairn.runtime.trace.Tracer;
import dev.cairn.runtime.trace.flight.FlightEvents;
import java.util.function.Supplier;

/**
 * Who is told of one run: the session's tracer, Java Flight Recorder, both, or most often nobody.
 *
 * @param probe of the whole run
 * @param listener what the executor tells of, for the probe
 */
record RunTracing(RunProbe probe, RunListener listener) {
  private static final RunTracing OFF = new RunTracing(RunProbe.NONE, RunListener.NONE);

  /**
   * A run is asked for now.
   *
   * @param graph asked for when somebody is told
   */
  static RunTracing begin(Tracer tracer, Supplier<TracedGraph> graph) {
    if (!tracer.isOn() && !FlightEvents.runsAreTold()) {
      return OFF;
    }
    TracedGraph traced = graph.get();
    RunProbe probe = RunProbe.both(tracer.begin(traced), FlightEvents.begin(traced));
    return new RunTracing(probe, new Steps(probe, traced));
  }

  /** Does the run, and tells how it ended. */
  Result of(Supplier<Result> run) {
    boolean failed = true;
    try {
      Result result = run.get();
      failed = false;
      return result;
    } finally {
      probe.ended(failed);
    }
  }

  /** The run ends where its session says so, after its outputs are copied, and not with its last step. */
  private record Steps(RunProbe probe, TracedGraph graph) implements RunListener {
    @Override
    public void runBegan() {}

    @Override
    public void stepBegan(int step, int stream) {
      probe.stepBegan(step, stream);
    }

    @Override
    public void stepFound(int step, StepFacts facts) {
      probe.stepFound(step, TraceFacts.found(graph.steps().get(step), facts));
    }

    @Override
    public void stepEnded(int step, int stream) {
      probe.stepEnded(step, stream);
    }

    @Override
    public void copyBegan(int output) {
      probe.copyBegan(output);
    }

    @Override
    public void copyEnded(int output) {
      probe.copyEnded(output);
    }

    @Override
    public void runEnded() {}
  }
}
