package dev.cairn.benchmarks.allocator;

import dev.cairn.benchmarks.harness.Section;
import java.io.IOException;
import java.util.List;

/** A table of contests, which are played in {@linkplain MatchProcesses several processes}. */
interface ContestTable extends FigureTable {
  /** The contests, in the order in which each process plays them. */
  List<Match> matches(Effort effort);

  /** The results, in the same order. */
  Section section(Effort effort, List<Contest> contests);

  @Override
  default Section measured(Effort effort) throws IOException, InterruptedException {
    return section(effort, MatchProcesses.played(this, effort));
  }
}
