package dev.cairn.benchmarks.allocator;

import dev.cairn.benchmarks.allocator.workload.BatchWorkload;
import dev.cairn.benchmarks.allocator.workload.DelayedWorkload;
import dev.cairn.benchmarks.allocator.workload.PairWorkload;
import dev.cairn.benchmarks.harness.Goal;
import dev.cairn.benchmarks.harness.Section;
import java.util.List;

/** The three short loops by which allocators are usually compared. */
final class HotPathTable implements ContestTable {
  private static final Goal GOAL = Goal.atMost(0.65);

  @Override
  public String name() {
    return "hot";
  }

  @Override
  public List<Match> matches(Effort effort) {
    return List.of(
      match(new Contest.Rule("pair", "pair, 1 KiB", GOAL), PairWorkload.class, effort),
      match(new Contest.Rule("batch", "batch of 1,000, 1 KiB", GOAL), BatchWorkload.class, effort),
      match(new Contest.Rule("delayed", "delayed by 1,000", GOAL), DelayedWorkload.class, effort));
  }

  private static Match match(Contest.Rule rule, Class<?> workload, Effort effort) {
    var timer = new JmhTimer(effort);
    return new Match(rule, effort.rounds(), kind -> timer.single(Trial.of(workload, kind, effort.pairs())));
  }

  @Override
  public Section section(Effort effort, List<Contest> contests) {
    return new Section("Hot path", text(effort), Contest.table(contests),
      contests.stream().map(Contest::figure).toList());
  }

  private static String text(Effort effort) {
    return """
      Few chunks are live, and the processor's caches hold all that is known of them. "Pair" takes 1 KiB and gives it
      back; "batch" takes 1,000 of them before it gives any back; "delayed" gives back what was taken 1,000 requests
      ago, in sizes from 256 B to 16 KiB. Each operation is one request and one release. There are %d rounds, in %d
      processes.
      """.formatted(effort.roundsOfAll(effort.rounds()), effort.processes());
  }
}
