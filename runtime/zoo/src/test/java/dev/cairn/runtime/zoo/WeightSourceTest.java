package dev.cairn.runtime.zoo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class WeightSourceTest {
  private static final Shape MANY = Shape.of(1000, 100);
  private final WeightSource source = new WeightSource(7);

  @Test
  void normalNumbersHaveTheMeanAndDeviationAskedFor() {
    TensorView view = source.normal("w", MANY, 3, 0.5);
    assertEquals(3, mean(view, 1), 0.01);
    assertEquals(0.25, mean(view, 2) - mean(view, 1) * mean(view, 1), 0.01);
    long within = LongStream.range(0, view.elementCount()).filter(i -> Math.abs(view.doubleAt(i) - 3) < 0.5).count();
    assertEquals(0.683, within / 100_000.0, 0.02);
  }

  @Test
  void uniformNumbersFillTheirRange() {
    TensorView view = source.uniform("w", MANY, 0.75, 1.25);
    assertEquals(1, mean(view, 1), 0.01);
    assertEquals(0.25 / 12, mean(view, 2) - mean(view, 1) * mean(view, 1), 0.001);
    var numbers = LongStream.range(0, view.elementCount()).mapToDouble(view::doubleAt);
    assertTrue(numbers.allMatch(v -> v >= 0.75 && v < 1.25));
  }

  @Test
  void neighboursAreNotCorrelated() {
    TensorView view = source.normal("w", MANY, 0, 1);
    for (int distance : new int[] {1, 2, 100}) {
      double sum = 0;
      for (long i = distance; i < view.elementCount(); i++) {
        sum += view.doubleAt(i) * view.doubleAt(i - distance);
      }
      assertEquals(0, sum / view.elementCount(), 0.015, "distance " + distance);
    }
  }

  @Test
  void aLongerTensorBeginsLikeAShorterOne() {
    TensorView shorter = source.normal("w", Shape.of(10), 0, 1);
    TensorView longer = source.normal("w", Shape.of(20), 0, 1);
    assertEquals(40, shorter.segment().mismatch(longer.segment()));
  }

  private static double mean(TensorView view, int power) {
    return LongStream.range(0, view.elementCount()).mapToDouble(i -> Math.pow(view.doubleAt(i), power)).average()
      .orElseThrow();
  }
}
