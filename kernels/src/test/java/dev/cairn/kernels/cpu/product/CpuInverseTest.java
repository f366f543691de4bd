package dev.cairn.kernels.cpu.product;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.kernels.ByHand;
import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CpuInverseTest {
  private static double[] inverse(DType dtype, Shape shape, double... matrices) {
    TensorView x = TestTensors.of(dtype, shape, matrices);
    return TestTensors.doubles(ByHand.run("Inverse", Attributes.NONE, x.type(), x));
  }

  @Test
  void timesTheMatrixIsTheIdentity() {
    var random = new Random(7);
    for (int rows = 1; rows <= 12; rows++) {
      double[] matrices = random.doubles(2L * rows * rows, -1, 1).toArray();
      double[] inverses = inverse(DType.FLOAT64, Shape.of(2, rows, rows), matrices);
      for (int at = 0; at < matrices.length; at++) {
        int first = at / (rows * rows) * rows * rows;
        int row = (at - first) / rows;
        int column = at % rows;
        double sum = 0;
        for (int i = 0; i < rows; i++) {
          sum += matrices[first + row * rows + i] * inverses[first + i * rows + column];
        }
        assertThat(sum).isCloseTo(row == column ? 1 : 0, within(1e-9));
      }
    }
  }

  @Test
  void ofMatricesThatNeedOtherPivotsAndOfOnesWithoutInverse() {
    assertThat(inverse(DType.FLOAT16, Shape.of(2, 2), 0, 2, 4, 0)).containsExactly(0, 0.25, 0.5, 0);
    assertThat(Arrays.stream(inverse(DType.FLOAT32, Shape.of(2, 2), 1, 2, 2, 4))).noneMatch(Double::isFinite);
    assertThat(inverse(DType.FLOAT32, Shape.of(0, 3, 3))).isEmpty();
    assertThat(inverse(DType.FLOAT32, Shape.of(3, 0, 0))).isEmpty();
  }
}
