package dev.cairn.benchmarks.breadth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.benchmarks.harness.Outcome;
import dev.cairn.benchmarks.harness.Sample;
import dev.cairn.benchmarks.harness.Section;
import dev.cairn.kernels.tensor.DType;
import java.util.List;
import org.junit.jupiter.api.Test;

class BreadthPageTest {
  private static BreadthFigure figure(String operator, int threads, double cairnNanos, double ortNanos) {
    var one = new BreadthCase(operator, Form.along("axis", node -> {}), Size.SMALL, 1, DType.FLOAT32, false);
    return new BreadthFigure(one, threads,
      new BreadthTurns(Sample.of(List.of(cairnNanos, 2 * cairnNanos)), Sample.of(List.of(
        ortNanos))));
  }

  /** Ratios 4 and 1 with one thread; 0.5 with two. */
  @Test
  void theLargestRatioComesFirst() {
    var page = new BreadthPage(List.of(figure("Exp", 1, 1000, 1000), figure("Softmax", 1, 4000, 1000), figure("Exp", 2,
      500, 1000)), new BreadthCases(List.of(), List.of("Exp: refused"), List.of("LSTM")));
    List<Section> sections = page.sections();
    Outcome outcome = Section.outcome(sections);
    assertEquals("cases-1=2 geomean-1=2.00 most-1=4.00 cases-2=1 geomean-2=0.50 most-2=0.50", outcome.figures());
    assertEquals("geomean-1<=0.9,most-1<=1.25,geomean-2<=0.9,most-2<=1.25", outcome.goals());
    assertTrue(sections.get(0).toString().contains("so that they have no case: LSTM"), sections.get(0)::toString);
    assertTrue(sections.get(0).toString().contains("`Exp: refused`"), sections.get(0)::toString);
    assertTrue(sections.get(0).toString().contains("| 1 | 2 | 2.00 | 4.00 | 1 | 1 |"), sections.get(0)::toString);
    List<String> operators = sections.get(1).toString().lines().filter(it -> it.startsWith("| ")).skip(2).toList();
    assertEquals(List.of("| Softmax | 1 | 4.00 | 4.00 |", "| Exp | 2 | 0.71 | 1.00 |"), operators);
    List<String> rows = sections.get(2).toString().lines().filter(it -> it.startsWith("| ")).skip(2).toList();
    assertEquals("| Softmax: axis, middle; small float32 | 1 | 4.0 | 1.0 | 4.00 |", rows.getFirst());
    assertEquals("| Exp: axis, middle; small float32 | 2 | 0.5 | 1.0 | 0.50 |", rows.getLast());
  }

  @Test
  void optionsAreRead() {
    var options = BreadthOptions.parse(List.of("--threads", "1", "--operators", "Exp,Log", "--sample", "7", "--seed",
      "9"), 2);
    assertEquals(new BreadthOptions(false, false, List.of(1), List.of("Exp", "Log"), 7, 9), options);
    assertEquals(List.of(1, 2), BreadthOptions.parse(List.of(), 2).threads());
    assertEquals(List.of(1), BreadthOptions.parse(List.of(), 1).threads());
    assertThrows(IllegalArgumentException.class, () -> BreadthOptions.parse(List.of("--write", "--sample", "3"), 2));
    assertThrows(IllegalArgumentException.class, () -> BreadthOptions.parse(List.of("--fast"), 2));
  }
}
