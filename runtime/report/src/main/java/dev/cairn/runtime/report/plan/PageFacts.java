package dev.cairn.runtime.report.plan;

import java.util.List;

/**
 * The facts on a page beside the picture.
 *
 * @param verdict whether the plan fits a limit, in a sentence; empty where there is none
 * @param planners what each planner would take; empty where they were not compared
 * @param curve what less memory costs, as {@link OverheadCurve} draws it; empty where that was not asked
 */
public record PageFacts(String verdict, List<Row> planners, String curve) {
  /** Only the plan itself. */
  public static final PageFacts NONE = new PageFacts("", List.of(), "");

  public PageFacts {
    planners = List.copyOf(planners);
  }

  /** These facts with a drawing of what less memory costs. */
  public PageFacts withCurve(String svg) {
    return new PageFacts(verdict, planners, svg);
  }

  /**
   * One planner's answer in words.
   *
   * @param peak bytes that it would take, or why it has no answer
   * @param ratio to the lower bound
   * @param time that it took
   */
  public record Row(String planner, String peak, String ratio, String time) {}
}
