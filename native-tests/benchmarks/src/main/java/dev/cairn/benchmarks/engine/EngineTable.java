package dev.cairn.benchmarks.engine;

import dev.cairn.benchmarks.harness.Section;

/** One table of the page. */
interface EngineTable {
  /** By which it is asked for. */
  String name();

  /** Measures. */
  Section measured(Rivals rivals, EngineEffort effort);
}
