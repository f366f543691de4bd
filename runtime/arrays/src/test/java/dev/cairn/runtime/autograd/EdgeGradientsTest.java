package dev.cairn.runtime.autograd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.ndarray.ArrayContract;
import dev.cairn.runtime.ndarray.NDArray;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * Gradients where differences say nothing: at kinks, of equal operands, of operands that are no numbers, and of numbers
 * that are large. Upstream's cases 99, 102, 109 and 122.
 */
class EdgeGradientsTest extends ArrayContract {
  private static final float NAN = Float.NaN;

  private float[] gradient(String operator, Attributes attributes, float... values) {
    return gradientOf(floats(values), it -> it.apply(operator, attributes, 1, List.of(it)).getFirst());
  }

  private static float[] gradientOf(NDArray x, UnaryOperator<NDArray> function) {
    x.attachGradient();
    NDArray y;
    try (var _ = Autograd.record()) {
      y = function.apply(x);
    }
    y.backward();
    return x.gradient().astype(DType.FLOAT32).toFloatArray();
  }

  private static Attributes real(String name, double value) {
    return Attributes.NONE.with(name, new AttributeValue.Real((float) value));
  }

  @Test
  void activationsAtTheirKinks() {
    assertThat(gradient("Relu", Attributes.NONE, -1, 0, 1)).containsExactly(0, 0, 1);
    assertThat(gradient("LeakyRelu", real("alpha", 0.25), -1, 0, 1)).containsExactly(0.25f, 0.25f, 1);
    assertThat(gradient("Abs", Attributes.NONE, -2, 0, 2)).containsExactly(-1, 0, 1);
    assertThat(gradient("HardSigmoid", real("alpha", 0.25).with("beta", new AttributeValue.Real(0.5f)), -2, 0, 2))
      .containsExactly(0, 0.25f, 0);
    assertThat(gradient("HardSwish", Attributes.NONE, -4, 4)).containsExactly(0, 1);
    assertThat(gradientOf(floats(-1, -0.5f, 0, 0.5f, 1), it -> it.clip(-0.5, 0.5))).containsExactly(0, 1, 1, 1, 0);
    assertThat(gradient("Sign", Attributes.NONE, -1, 0, 1)).containsExactly(0, 0, 0);
  }

  /** The first of equal operands has the gradient; NaN counts as equal to NaN. */
  @Test
  void tiesGoToTheFirst() {
    for (String operator : List.of("Max", "Min")) {
      NDArray a = floats(1, NAN, NAN, 2).attachGradient();
      NDArray b = floats(1, NAN, 1, NAN).attachGradient();
      NDArray y;
      try (var _ = Autograd.record()) {
        y = a.apply(operator, Attributes.NONE, 1, List.of(a, b)).getFirst();
      }
      y.backward();
      assertThat(a.gradient().toFloatArray()).as(operator).containsExactly(1, 1, 1, 0);
      assertThat(b.gradient().toFloatArray()).as(operator).containsExactly(0, 0, 0, 1);
    }
    Attributes pairs = Attributes.NONE.with("kernel_shape", AttributeValue.Ints.of(2)).with("strides",
      AttributeValue.Ints.of(2));
    assertThat(gradientOf(floats(3, 3, 1, NAN, NAN, NAN).reshape(1, 1, 6), it -> it.apply("MaxPool", pairs, 1, List.of(
      it)).getFirst())).containsExactly(1, 0, 0, 1, 1, 0);
  }

  /** Equal elements share it evenly; a NaN has the gradient of a result that is one. */
  @Test
  void reductionsOfEqualElementsAndOfNan() {
    assertThat(gradientOf(floats(2, 1, 2), NDArray::max)).containsExactly(0.5f, 0, 0.5f);
    assertThat(gradientOf(floats(1, 1, 1, 1), NDArray::min)).containsExactly(0.25f, 0.25f, 0.25f, 0.25f);
    assertThat(gradientOf(floats(1, NAN, 3), NDArray::sum)).containsExactly(1, 1, 1);
    assertThat(gradientOf(floats(1, NAN, 3, 4), NDArray::mean)).containsExactly(0.25f, 0.25f, 0.25f, 0.25f);
    assertThat(gradient("ReduceProd", Attributes.NONE, 0, 3, 5)).containsExactly(15, 0, 0);
    assertThat(gradient("ReduceProd", Attributes.NONE, 0, 3, 0)).containsExactly(0, 0, 0);
  }

  private static float[] softmaxGradient(NDArray logits, double temperature, int wanted) {
    return gradientOf(logits, it -> it.div(temperature).softmax(-1).get(Integer.toString(wanted)));
  }

  @Test
  void softmaxOfLargeNumbersAndTemperatures() {
    for (double temperature : new double[] {0.5, 1, 10}) {
      float[] found = softmaxGradient(floats(1, 2, 3), temperature, 1);
      double[] y = {Math.exp(1 / temperature), Math.exp(2 / temperature), Math.exp(3 / temperature)};
      double sum = Arrays.stream(y).sum();
      for (int i = 0; i < y.length; i++) {
        double expected = y[1] / sum * ((i == 1 ? 1 : 0) - y[i] / sum) / temperature;
        assertThat(found[i]).as("temperature %s", temperature).isCloseTo((float) expected, within(1e-6f));
      }
    }
    assertThat(softmaxGradient(floats(1e4f, -1e4f, 1e4f), 1, 0)).containsExactly(0.25f, -0f, -0.25f);
    NDArray half = floats(new float[4096]).astype(DType.FLOAT16);
    float[] even = gradientOf(half, it -> it.softmax(-1).get("7"));
    assertThat(even[7]).isCloseTo(1 / 4096f, within(1e-6f));
    assertThat(even[8]).isCloseTo(0, within(1e-6f));
  }
}
