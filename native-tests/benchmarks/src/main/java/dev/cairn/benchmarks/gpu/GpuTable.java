package dev.cairn.benchmarks.gpu;

import dev.cairn.benchmarks.harness.Section;

/** Measures a section of the page. To add one, write a class and name it in the list of {@link GpuBenchmark}. */
interface GpuTable {
  /** The name by which it is chosen: lower case. */
  String name();

  /** Returns the memory that it takes of the device. */
  Section measured(GpuUnderTest gpu, GpuEffort effort);
}
