package dev.cairn.runtime.trace.flight;

/**
 * The facts that are reported of a plan.
 *
 * @param plannerNanos how long the planner alone took
 */
public record PlanFacts(String planner, int steps, int buffers, long peakBytes, long boundBytes, long plannerNanos) {}
