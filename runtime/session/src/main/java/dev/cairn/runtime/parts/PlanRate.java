package dev.cairn.runtime.parts;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * How often new plans are made: more than {@value #MOST_PLANS} in {@value #WINDOW} runs cost more
 * than they save. Not thread-safe.
 */
public final class PlanRate {
  public static final int MOST_PLANS = 16;
  public static final int WINDOW = 64;

  private final Deque<Long> plannedAt = new ArrayDeque<>();
  private long runs;

  public void countRun() {
    runs++;
  }

  public void countPlan() {
    if (plannedAt.size() == MOST_PLANS) {
      plannedAt.removeFirst();
    }
    plannedAt.addLast(runs);
  }

  /** Whether one more plan would be one too many. */
  public boolean isHigh() {
    return plannedAt.size() == MOST_PLANS && runs - plannedAt.getFirst() < WINDOW;
  }
}
