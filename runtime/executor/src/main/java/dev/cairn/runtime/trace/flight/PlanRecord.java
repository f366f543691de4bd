package dev.cairn.runtime.trace.flight;

import org.jspecify.annotations.Nullable;

/** The event of a model that is being compiled and planned; nothing without a recording. */
public final class PlanRecord implements AutoCloseable {
  private final String model;
  private final @Nullable PlanEvent event;

  PlanRecord(String model, @Nullable PlanEvent event) {
    this.model = model;
    this.event = event;
    if (event != null) {
      event.begin();
    }
  }

  /** Whether there is a recording, which takes {@link #planned facts}. */
  public boolean isOn() {
    return event != null;
  }

  public void planned(PlanFacts facts) {
    if (event != null) {
      event.planner = facts.planner();
      event.steps = facts.steps();
      event.buffers = facts.buffers();
      event.peakBytes = facts.peakBytes();
      event.boundBytes = facts.boundBytes();
      event.plannerNanos = facts.plannerNanos();
    }
  }

  @Override
  public void close() {
    if (event != null) {
      event.model = model;
      event.commit();
    }
  }
}
