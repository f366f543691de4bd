package dev.cairn.runtime.memory;

import java.util.Locale;

/**
 * How good a plan is, in reserved bytes. Text form: one line.
 *
 * @param planner name of the plan's planner
 * @param peakBytes what the plan takes
 * @param boundBytes what no plan can go below
 * @param naiveBytes what the run would take without any sharing
 * @param paddingBytes how much of the bound is padding to alignments
 */
public record PlanScore(String planner, long peakBytes, long boundBytes, long naiveBytes, long paddingBytes) {
  /** The score of a plan, which is not validated here. */
  public static PlanScore of(MemoryProblem problem, MemoryPlan plan) {
    LowerBound bound = LowerBound.of(problem);
    return new PlanScore(plan.planner(), plan.peakBytes(), bound.bytes(), problem.naiveBytes(),
      paddingAt(problem, bound.step()));
  }

  /** Peak over bound, 1 at best; 1 when both are 0, infinite when only the bound is. */
  public double ratio() {
    return peakBytes == boundBytes ? 1 : (double) peakBytes / boundBytes;
  }

  /** Peak over what no sharing would take; 1 when both are 0. */
  public double ratioToNaive() {
    return peakBytes == naiveBytes ? 1 : (double) peakBytes / naiveBytes;
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%s: peak=%d bound=%d ratio=%.4f naive=%d padding=%d", planner, peakBytes,
      boundBytes, ratio(), naiveBytes, paddingBytes);
  }

  private static long paddingAt(MemoryProblem problem, int step) {
    long padding = 0;
    var held = problem.held();
    for (int i = 0; i < problem.size(); i++) {
      if (held.get(i).first() <= step && step < held.get(i).end()) {
        padding += problem.buffer(i).reservedBytes() - problem.buffer(i).bytes();
      }
    }
    return padding;
  }
}
