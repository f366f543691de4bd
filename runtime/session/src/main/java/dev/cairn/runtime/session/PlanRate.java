package dev.cairn.runtime.session;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * How often new plans are made: more than {@value ShapeValues#MOST_PLANS} in {@value ShapeValues#WINDOW} runs cost more
 * than they save. Not thread-safe.
 */
final class PlanRate {
  private final Deque<Long> plannedAt = new ArrayDeque<>();
  private long runs;

  void countRun() {
    runs++;
  }

  void countPlan() {
    if (plannedAt.size() == ShapeValues.MOST_PLANS) {
      plannedAt.removeFirst();
    }
    plannedAt.addLast(runs);
  }

  /** Whether one more plan would be one too many. */
  boolean isHigh() {
    return plannedAt.size() == ShapeValues.MOST_PLANS && runs - plannedAt.getFirst() < ShapeValues.WINDOW;
  }
}
