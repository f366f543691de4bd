package dev.cairn.benchmarks.allocator;

import dev.cairn.benchmarks.harness.Section;
import java.io.IOException;
import java.util.List;

/** A table of contests, which are played in {@linkplain MatchProcesses several processes}. */
interface ContestTable extends FigureTable {
  /** What is played, in each process in this order. */
  List<Match> matches(Effort effort);

  /** What came of it, in the same order. */
  Section section(Effort effort, List<Contest> contests);

  @Override
  default Section measured(Effort effort) throws IOException, InterruptedException {
    return section(effort, MatchProcesses.played(this, effort));
  }
}
