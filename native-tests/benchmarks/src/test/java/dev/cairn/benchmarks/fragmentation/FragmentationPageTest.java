package dev.cairn.benchmarks.fragmentation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Test;

class FragmentationPageTest {
  @Test
  void theWholePage() {
    assertEquals("""
      # Fragmentation: what the allocator needs beyond what is live

      Made by `native-tests/benchmarks/run.sh`; do not edit. How, and what is fair: [README](README.md).

      - Command: `native-tests/benchmarks/run.sh fragmentation --write`
      - Date: 2026-02-03 (UTC); the figures are of the sources alone, the same on every machine
      - Traces: MiniMalloc A B, sizes × 256; at each time frees before grants, both in the file's order
      - Verdict: `fragmentation: a=1 goal=b pass`
      - Skipped, no data: C

      ## Fixed pools

      The smallest single region that serves the whole trace, over the most bytes live at one time, tried in steps of
      1/1024 of the latter; "mean" is geometric. Best fit is not monotone: "sure" is the mean of the pools from which on
      every larger one serves, too. The goal: a mean of at most 1.35.

      | smallest pool / peak live | A | B | mean | sure |
      | --- | ---: | ---: | ---: | ---: |
      | low-fragmentation | 1.00 | 1.44 | 1.200 | 1.500 |

      ## Growing pools

      The most bytes reserved, over the most bytes live at one time, without a limit. Regions lie apart; those of "by
      page" adjoin. "rounds" is the mean after as many rounds of each trace in a row, "regions" how often the source
      was asked in the first, on average. The goal: a mean of at most 1.50 with regions apart.

      | reserved / peak live | A | B | mean | 16 rounds | regions |
      | --- | ---: | ---: | ---: | ---: | ---: |
      | %s | 1.00 | 2.25 | 1.500 | 2.000 | 6 |

      ## Variants

      The same traces changed, so that a policy that was chosen by the eleven shows what it is worth elsewhere.

      | geometric means | backwards |
      | --- | ---: |
      | fixed: low-fragmentation | 1.250 |
      | growing: %s | 1.750 |
      """.replace("%s", PoolPolicies.JUDGED_GROWING.name()), new FragmentationPage(figures(List.of("C"), 1.44)).text(
      LocalDate.of(2026, 2, 3), "fragmentation: a=1 goal=b pass"));
  }

  @Test
  void theVerdictIsAboutBothGoalsAndAllTraces() {
    assertEquals("fragmentation: traces=2 fixed=1.200 (default 1.200) growing=1.500 (default 1.500) "
      + "goal=fixed<=1.35,growing<=1.50 pass", FragmentationVerdict.of(figures(List.of(), 1.44)).line("fragmentation"));
    assertFalse(FragmentationVerdict.of(figures(List.of(), 1.96)).passed());
    var partly = FragmentationVerdict.of(figures(List.of("C"), 1.44));
    assertFalse(partly.passed());
    assertTrue(partly.figures().contains("skipped-no-data=1"), partly.figures());
  }

  private static FragmentationFigures figures(List<String> skipped, double fixed) {
    return new FragmentationFigures(List.of("A", "B"), List.of("backwards"), skipped,
      List.of(new PolicyFigures<>(PoolPolicies.JUDGED_FIXED, List.of(new FixedPool(1, 1.5), new FixedPool(fixed, 1.5)),
        List.of(1.25))),
      List.of(new PolicyFigures<>(PoolPolicies.JUDGED_GROWING, List.of(new GrowingPool(1, 2, 5),
        new GrowingPool(2.25, 2, 7)), List.of(1.75))));
  }
}
