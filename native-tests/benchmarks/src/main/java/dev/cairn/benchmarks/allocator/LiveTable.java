package dev.cairn.benchmarks.allocator;

import dev.cairn.benchmarks.allocator.workload.DrainWorkload;
import dev.cairn.benchmarks.allocator.workload.ReplaceWorkload;
import dev.cairn.benchmarks.harness.Goal;
import dev.cairn.benchmarks.harness.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Many live chunks: replacing them, and giving them all back. */
final class LiveTable implements ContestTable {
  private static final Goal REPLACE = Goal.atMost(0.55);
  private static final Goal DRAIN = Goal.atMost(0.8);

  @Override
  public String name() {
    return "live";
  }

  @Override
  public List<Match> matches(Effort effort) {
    var timer = new JmhTimer(effort);
    List<Match> matches = new ArrayList<>();
    for (int live : effort.live()) {
      var rule = new Contest.Rule("replace@" + live, "replace, %s live".formatted(count(live)), REPLACE);
      matches.add(new Match(rule, effort.rounds(live),
        kind -> timer.single(Trial.of(ReplaceWorkload.class, kind, effort.replaced(live)).with("live", live))));
    }
    int live = effort.mostLive();
    var rule = new Contest.Rule("drain@" + live, "drain of %s".formatted(count(live)), DRAIN);
    matches.add(new Match(rule, effort.rounds(),
      kind -> timer.once(Trial.of(DrainWorkload.class, kind, live).with("replaced", effort.replaced()))));
    return matches;
  }

  @Override
  public Section section(Effort effort, List<Contest> contests) {
    return new Section("Many live chunks", text(effort), Contest.table(contests),
      contests.stream().map(Contest::figure).toList());
  }

  /** {@code 100,000}. */
  static String count(int number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  private static String text(Effort effort) {
    return """
      Chunks of 256 B to 4 KiB. "Replace" gives one back at random and takes another of another size; both allocators
      get the same requests in the same order, and equally many. "Drain" gives all back after %s were replaced, one
      release an operation. There are %d rounds in %d processes; with at most %s live turns are short, and there are %d.
      """
      .formatted(count(effort.replaced()), effort.roundsOfAll(effort.rounds()), effort.processes(),
        count(Effort.MOST_LIVE_OF_SHORT_TURNS), effort.roundsOfAll(effort.manyRounds()));
  }
}
