package dev.cairn.benchmarks.planning;

import dev.cairn.benchmarks.harness.Places;
import dev.cairn.benchmarks.harness.Section;
import java.io.IOException;
import java.util.List;

/** Measures sections of the page. To add one, write a class and name it in the list of {@link PlanningBenchmark}. */
interface PlanningTable {
  /** The name by which it is chosen: lower case. */
  String name();

  /**
   * Sections in the order of the page; none where their data is not there.
   *
   * @throws IllegalStateException when a plan is not valid
   */
  List<Section> measured(Places places, PlanningEffort effort) throws IOException;
}
