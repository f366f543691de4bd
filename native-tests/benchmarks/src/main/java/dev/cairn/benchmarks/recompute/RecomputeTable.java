package dev.cairn.benchmarks.recompute;

import dev.cairn.benchmarks.harness.Places;
import dev.cairn.benchmarks.harness.Section;
import java.io.IOException;
import java.util.Optional;

/** Measures a section of the page. To add one, write a class and name it in the list of {@link RecomputeBenchmark}. */
interface RecomputeTable {
  /** The most work of a search with {@code --recompute search}, in the planner's units. */
  long SEARCH_WORK = 4_000_000_000L;
  /** Enough to see that everything works. */
  long QUICK_WORK = 20_000_000L;

  /** The name by which it is chosen: lower case. */
  String name();

  /** The section; empty where its data is not there. */
  Optional<Section> measured(Places places, boolean isQuick) throws IOException;
}
