package dev.cairn.benchmarks.allocator;

import dev.cairn.benchmarks.harness.Section;
import java.io.IOException;

/**
 * Measures one section of the page. To add one, write a class and name it in the list of {@link AllocatorBenchmark}.
 */
interface FigureTable {
  /** The name by which it is chosen: lower case. */
  String name();

  /** @throws IllegalStateException when something that is measured fails, or what must be the same is not */
  Section measured(Effort effort) throws IOException, InterruptedException;
}
