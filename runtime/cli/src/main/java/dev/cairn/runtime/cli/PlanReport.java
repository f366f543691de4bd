package dev.cairn.runtime.cli;

import dev.cairn.runtime.report.plan.PageFacts;
import dev.cairn.runtime.report.plan.PlanView;
import java.util.Map;
import java.util.Optional;

/**
 * What {@code cairn plan} found, for all the ways to show it.
 *
 * @param text for people
 * @param document for programs; may be added to
 * @param view of the plan, for files
 * @param facts beside it, on the page
 * @param failure what to say when it doesn't fit; empty when it does
 */
record PlanReport(String text, Map<String, Object> document, PlanView view, PageFacts facts,
  Optional<Failure.Known> failure) {
  /** The same with a drawing of what less memory costs. */
  PlanReport withCurve(String svg) {
    return new PlanReport(text, document, view, facts.withCurve(svg), failure);
  }
}
