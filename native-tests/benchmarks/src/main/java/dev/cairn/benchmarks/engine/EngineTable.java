package dev.cairn.benchmarks.engine;

import dev.cairn.benchmarks.harness.Section;

/** One table of the page. */
interface EngineTable {
  /** The name by which it is chosen. */
  String name();

  /** Measures. */
  Section measured(Rivals rivals, EngineEffort effort);
}
