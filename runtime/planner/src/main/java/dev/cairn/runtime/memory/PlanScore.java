package dev.cairn.runtime.memory;

import java.util.List;
import java.util.Locale;
import java.util.SortedMap;

/**
 * The quality of a plan, in reserved bytes. Text form: one line.
 *
 * @param planner name of the plan's planner
 * @param peakBytes bytes of the plan
 * @param boundBytes the lower bound, for all devices together
 * @param unsharedBytes bytes of a plan without sharing
 * @param paddingBytes how much of the bound is alignment padding
 */
public record PlanScore(String planner, long peakBytes, long boundBytes, long unsharedBytes, long paddingBytes) {
  /** The score of a plan. Does not validate the plan. */
  public static PlanScore of(MemoryProblem problem, MemoryPlan plan) {
    SortedMap<Integer, LowerBound> bounds = LowerBound.byDevice(problem);
    long boundBytes = bounds.values().stream().mapToLong(LowerBound::bytes).sum();
    return new PlanScore(plan.planner(), plan.peakBytes(), boundBytes, problem.unsharedBytes(),
      padding(problem, bounds));
  }

  /** Peak over bound, 1 at best; 1 when both are 0, infinite when only the bound is. */
  public double ratio() {
    return peakBytes == boundBytes ? 1 : (double) peakBytes / boundBytes;
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%s: peak=%d bound=%d ratio=%.4f unshared=%d padding=%d", planner, peakBytes,
      boundBytes, ratio(), unsharedBytes, paddingBytes);
  }

  private static long padding(MemoryProblem problem, SortedMap<Integer, LowerBound> bounds) {
    long padding = 0;
    List<List<Lifetime>> active = problem.active();
    for (int i = 0; i < problem.size(); i++) {
      Buffer buffer = problem.buffer(i);
      LowerBound bound = bounds.get(buffer.device());
      if (bound != null && active.get(i).stream().anyMatch(part -> part.contains(bound.step()))) {
        padding += buffer.reservedBytes() - buffer.bytes();
      }
    }
    return padding;
  }
}
