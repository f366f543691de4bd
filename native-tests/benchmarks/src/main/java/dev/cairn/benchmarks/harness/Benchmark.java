package dev.cairn.benchmarks.harness;

import java.io.IOException;
import java.util.List;

/** Something that is measured, against goals that are stated before. */
public interface Benchmark {
  /** The name by which it is chosen: lower case. */
  String name();

  /** One line: its subject. */
  String description();

  /** The benchmark's options, as a usage line shows them. */
  String options();

  /**
   * Measures, and prints the table to standard output.
   *
   * @throws IllegalArgumentException when the options are wrong, before anything is measured
   * @throws IllegalStateException when something that is measured fails
   */
  Outcome run(List<String> options, Places places) throws IOException, InterruptedException;
}
