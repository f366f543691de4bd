package dev.cairn.kernels;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.tensor.TensorView;
import java.util.function.Function;
import org.assertj.core.data.Offset;

/** Compares the gradients that kernels give with central differences in {@code float64} (G-15). */
public final class CentralDifferences {
  private static final double STEP = 1e-6;

  private CentralDifferences() {}

  /**
   * Fails unless the gradient is the derivative of {@code sum of (head result)}.
   *
   * @param forward gives the result for an operand in the place of {@code at}
   */
  public static void check(String what, TensorView at, TensorView head, Function<TensorView, TensorView> forward,
    TensorView gradient) {
    assertThat(gradient.type()).as(what).isEqualTo(at.type());
    for (long i = 0; i < at.elementCount(); i++) {
      TensorView moved = TestTensors.copy(at);
      TestTensors.set(moved, i, at.doubleAt(i) + STEP);
      double above = product(head, forward.apply(moved));
      TestTensors.set(moved, i, at.doubleAt(i) - STEP);
      double below = product(head, forward.apply(moved));
      double wanted = (above - below) / (2 * STEP);
      assertThat(gradient.doubleAt(i)).as("%s: element %d", what, i).isCloseTo(wanted, Offset.offset(1e-7 + 1e-5 * Math
        .abs(wanted)));
    }
  }

  private static double product(TensorView head, TensorView result) {
    double sum = 0;
    for (long i = 0; i < head.elementCount(); i++) {
      sum += head.doubleAt(i) * result.doubleAt(i);
    }
    return sum;
  }
}
