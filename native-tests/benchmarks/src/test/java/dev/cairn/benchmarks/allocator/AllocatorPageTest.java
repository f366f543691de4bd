package dev.cairn.benchmarks.allocator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.Goal;
import dev.cairn.benchmarks.harness.Machine;
import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.Origin;
import dev.cairn.benchmarks.harness.Sample;
import dev.cairn.benchmarks.harness.Section;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Test;

class AllocatorPageTest {
  private static final Origin ORIGIN = new Origin(new Machine("Some CPU", 2, 8L << 30, "Linux 6", "25.0.3", 0.5),
    LocalDate.of(2026, 2, 3), "native-tests/benchmarks/run.sh allocator --write");
  private static final Section REACHED = section("pair", 30, 0.5);
  private static final Section MISSED = section("drain", 90, 0.9);
  private static final Section TOLD = new Section("Calls", "What they cost.\n", new MarkdownTable("call", "ns").row("a",
    "1"), List.of(Figure.told("call-ns", 1.25, 2)));

  @Test
  void theWholePage() {
    var page = new AllocatorPage(List.of(REACHED, TOLD), AllocatorOptions.parse(List.of("--write")));
    assertEquals("""
      # Allocator: Cairn's beside ONNX Runtime's arena, in one process

      Made by `native-tests/benchmarks/run.sh`; do not edit. How, and what is fair: [README](README.md).

      - Command: `native-tests/benchmarks/run.sh allocator --write`
      - Date: 2026-02-03 (UTC)
      - Machine: Some CPU, 2 processors, 8.0 GiB of memory; Linux 6; JDK 25.0.3; load 0.50 at the start
      - Rounds: 10, or as many as a table says; in each, Cairn and ONNX Runtime 1.29.0 take turns
      - Verdict: `allocator: a=1 goal=b pass`
      - Goals not reached: none

      ## About pair

      What it is.

      | workload | Cairn, ns | ONNX Runtime, ns | ratio (spread) | goal |
      | --- | ---: | ---: | ---: | ---: |
      | The pair | 30.0 | 100.0 | 0.50 (0.40..0.70) | <=0.6 |

      ## Calls

      What they cost.

      | call | ns |
      | --- | ---: |
      | a | 1 |
      """, page.text(ORIGIN, "1.29.0", "allocator: a=1 goal=b pass"));
  }

  @Test
  void theLastLineHasEveryFigureAndEveryGoal() {
    var page = new AllocatorPage(List.of(REACHED, TOLD), AllocatorOptions.parse(List.of()));
    assertEquals("allocator: pair=0.50 call-ns=1.25 goal=pair<=0.6 pass", page.outcome().line("allocator"));
  }

  @Test
  void oneGoalThatIsMissedIsEnough() {
    var page = new AllocatorPage(List.of(REACHED, MISSED, TOLD), AllocatorOptions.parse(List.of("--quick")));
    assertEquals("allocator: pair=0.50 drain=0.90 call-ns=1.25 goal=pair<=0.6,drain<=0.6 short", page.outcome().line(
      "allocator"));
    String text = page.text(ORIGIN, "1.29.0", "-");
    assertTrue(text.contains("- Goals not reached: `drain=0.90`\n- A quick run"), text);
  }

  private static Section section(String key, double nanos, double ratio) {
    var contest = new Contest(new Contest.Rule(key, "The " + key, Goal.atMost(0.6)), Sample.of(List.of(nanos)),
      Sample.of(List.of(100)), Sample.of(List.of(ratio, ratio - 0.1, ratio + 0.2)));
    return new Section("About " + key, "What it is.\n", Contest.table(List.of(contest)), List.of(contest.figure()));
  }
}
