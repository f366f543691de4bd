package dev.cairn.runtime.trace.flight;

import dev.cairn.runtime.trace.RunObserver;
import dev.cairn.runtime.trace.TracedGraph;
import jdk.jfr.FlightRecorder;

/** Records runs, plans and models in Java Flight Recorder, if there is a recording. Stateless. */
public final class FlightEvents {
  private FlightEvents() {}

  /** Whether a run has events: one or a few looks at flags. */
  public static boolean runsAreTold() {
    return FlightRecorder.isInitialized() && (RunEvent.isOn() || KernelEvent.isOn() || CopyEvent.isOn());
  }

  /** A run of this graph is asked for now. */
  public static RunObserver observe(TracedGraph graph) {
    return runsAreTold() ? new FlightObserver(graph) : RunObserver.NONE;
  }

  /** A model is read from now on, until the caller closes this. */
  public static LoadRecord loading(String file) {
    return new LoadRecord(file, FlightRecorder.isInitialized() ? new ModelLoadEvent() : null);
  }

  /** A model is compiled and planned from now on, until the caller closes this. */
  public static PlanRecord planning(String model) {
    return new PlanRecord(model, FlightRecorder.isInitialized() ? new PlanEvent() : null);
  }
}
