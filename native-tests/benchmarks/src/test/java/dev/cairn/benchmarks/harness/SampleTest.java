package dev.cairn.benchmarks.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SampleTest {
  private static final double EXACT = 1e-12;

  @Test
  void medianOfAnOddCountIsTheMiddleValueInAnyOrder() {
    assertEquals(3, Sample.of(List.of(9, 1, 3)).median());
    assertEquals(7, Sample.of(List.of(7)).median());
  }

  @Test
  void medianOfAnEvenCountIsBetweenTheTwoInTheMiddle() {
    assertEquals(2.5, Sample.of(List.of(4, 1, 3, 2)).median());
  }

  @Test
  void oneOutlierDoesNotMoveTheMedian() {
    assertEquals(1.02, Sample.of(List.of(1.02, 1.0, 1e9, 1.01, 1.03)).median());
  }

  @Test
  void percentilesAreValuesThatWereMeasured() {
    Sample sample = Sample.of(List.of(10, 20, 30, 40, 50, 60, 70, 80, 90, 100));
    assertEquals(10, sample.percentile(0));
    assertEquals(10, sample.percentile(10));
    assertEquals(20, sample.percentile(10.1));
    assertEquals(90, sample.percentile(90));
    assertEquals(100, sample.percentile(100));
  }

  @Test
  void percentilesAgreeWithTheirDefinitionOnRandomSamples() {
    var random = new SplittableRandom(7);
    for (int round = 0; round < 300; round++) {
      List<Double> values = new ArrayList<>();
      for (int i = 0, count = 1 + random.nextInt(40); i < count; i++) {
        values.add((double) random.nextInt(25));
      }
      double percent = random.nextInt(101);
      double value = Sample.of(values).percentile(percent);
      long atMost = values.stream().filter(it -> it <= value).count();
      long below = values.stream().filter(it -> it < value).count();
      assertTrue(values.contains(value));
      assertTrue(atMost * 100 >= percent * values.size(), "enough are at most the percentile");
      assertTrue(below * 100 <= percent * values.size(), "and not more than needed");
    }
  }

  @Test
  void geometricMeanOfARatioAndItsInverseIsOne() {
    assertEquals(1, Sample.of(List.of(4.0, 0.25)).geometricMean(), EXACT);
    assertEquals(2, Sample.of(List.of(1, 2, 4)).geometricMean(), EXACT);
    assertEquals(3.5, Sample.of(Collections.nCopies(9, 3.5)).geometricMean(), EXACT);
  }

  @Test
  void geometricMeanDoesNotOverflow() {
    assertEquals(1e200, Sample.of(List.of(1e200, 1e200, 1e200)).geometricMean(), 1e188);
  }

  @Test
  void whatHasNoAnswerIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> Sample.of(List.of()));
    assertThrows(IllegalArgumentException.class, () -> Sample.of(List.of(1.0, Double.NaN)));
    assertThrows(IllegalArgumentException.class, () -> Sample.of(List.of(1.0, 0.0)).geometricMean());
    assertThrows(IllegalArgumentException.class, () -> Sample.of(List.of(1)).percentile(101));
    assertThrows(IllegalArgumentException.class, () -> Sample.of(List.of(1)).percentile(Double.NaN));
  }

  @Test
  void spreadIsTheWholeRange() {
    assertEquals("1.05 (0.90..1.20)", Sample.of(List.of(1.2, 0.9, 1.05)).withSpread());
  }
}
