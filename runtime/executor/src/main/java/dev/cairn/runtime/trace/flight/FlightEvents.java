package dev.cairn.runtime.trace.flight;

import dev.cairn.runtime.trace.RunObserver;
import dev.cairn.runtime.trace.TracedGraph;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import jdk.jfr.FlightRecorder;

/** Does work and tells Java Flight Recorder of it, if there is a recording. Stateless. */
public final class FlightEvents {
  private FlightEvents() {}

  /** Whether a run has anything to tell: one or a few looks at flags. */
  public static boolean runsAreTold() {
    return FlightRecorder.isInitialized() && (RunEvent.isOn() || KernelEvent.isOn() || CopyEvent.isOn());
  }

  /** A run of this graph is asked for now. */
  public static RunObserver observe(TracedGraph graph) {
    return runsAreTold() ? new FlightObserver(graph) : RunObserver.NONE;
  }

  /**
   * Reads a model.
   *
   * @param nodes how many it has
   */
  public static <T> T load(String file, Supplier<T> reading, ToIntFunction<T> nodes) {
    if (!FlightRecorder.isInitialized()) {
      return reading.get();
    }
    var event = new ModelLoadEvent();
    event.begin();
    try {
      T model = reading.get();
      event.nodes = nodes.applyAsInt(model);
      return model;
    } finally {
      event.file = file;
      event.commit();
    }
  }

  /** Compiles and plans a model. */
  public static <T> T plan(String model, Supplier<T> planning, Function<T, PlanFacts> facts) {
    if (!FlightRecorder.isInitialized()) {
      return planning.get();
    }
    var event = new PlanEvent();
    event.begin();
    try {
      T planned = planning.get();
      PlanFacts told = facts.apply(planned);
      event.planner = told.planner();
      event.steps = told.steps();
      event.buffers = told.buffers();
      event.peakBytes = told.peakBytes();
      event.boundBytes = told.boundBytes();
      event.plannerNanos = told.plannerNanos();
      return planned;
    } finally {
      event.model = model;
      event.commit();
    }
  }
}
