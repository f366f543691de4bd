package dev.cairn.kernels.cpu.normalization;

import static dev.cairn.kernels.TestTensors.random;

import dev.cairn.kernels.KernelRunner;
import dev.cairn.kernels.Tolerance;
import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.row.NormalizationKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code LrnGradient} against the derivative of every result by every element. */
class LrnGradientTest {
  private final Random random = new Random(47);

  private void check(DType dtype, Shape shape, int size, float alpha, float beta, float bias) {
    Attributes attributes = Attributes.NONE.with("size", size)
      .with("alpha", new AttributeValue.Real(alpha))
      .with("beta", new AttributeValue.Real(beta))
      .with("bias", new AttributeValue.Real(bias));
    TensorView x = random(dtype, shape, random);
    TensorView h = random(dtype, shape, random);
    TensorView gradient = KernelRunner.checkTwins(NormalizationKernels.ROWS, "LrnGradient", attributes, List.of(x
      .type()), 16L * size, x, h).getFirst();
    int channels = (int) shape.extent(1);
    int elements = (int) shape.elementCount(2, shape.rank());
    double[] wanted = new double[(int) shape.elementCount()];
    for (int i = 0; i < wanted.length; i++) {
      int channel = i / elements % channels;
      double base = bias;
      for (int c = Math.max(0, channel - (size - 1) / 2); c <= Math.min(channels - 1, channel + size / 2); c++) {
        base += alpha / (double) size * Math.pow(x.doubleAt(i + (c - channel) * elements), 2);
      }
      wanted[i] += h.doubleAt(i) * Math.pow(base, -beta);
      for (int c = Math.max(0, channel - (size - 1) / 2); c <= Math.min(channels - 1, channel + size / 2); c++) {
        int other = i + (c - channel) * elements;
        wanted[other] -= h.doubleAt(i) * x.doubleAt(i) * beta * Math.pow(base, -beta - 1) * 2 * alpha / size * x
          .doubleAt(other);
      }
    }
    Tolerance.of(dtype, 16L * size).check("LrnGradient" + attributes, wanted, gradient);
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT32", "FLOAT64", "FLOAT16", "BFLOAT16"})
  void agreesForEverySize(DType dtype) {
    for (int size = 1; size <= 7; size++) {
      check(dtype, Shape.of(2, 5, 3, 4), size, 0.5f, 0.75f, 1);
      check(dtype, Shape.of(1, 3, 17), size, 0.1f, 1.5f, 2);
    }
  }

  @Test
  void agreesForLongPlanesAndWithoutAny() {
    check(DType.FLOAT32, Shape.of(2, 4, 30, 30), 5, 1e-2f, 0.75f, 1);
    check(DType.FLOAT32, Shape.of(3, 6), 3, 0.5f, 0.75f, 1);
    check(DType.FLOAT32, Shape.of(0, 6, 4), 3, 0.5f, 0.75f, 1);
    check(DType.FLOAT32, Shape.of(2, 6, 0), 3, 0.5f, 0.75f, 1);
  }
}
