package dev.cairn.kernels.cpu.reduction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.KernelRunner;
import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.row.ReduceKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.testing.Rounds;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code ArgMax} and {@code ArgMin} along any axis, of few different numbers, so that many are equal. */
class ArgumentTest implements Rounds {
  private static final double[] REAL = {0, -0.0, 1, -1, 2.5, -2.5, Double.NaN, Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY, 3, -3};

  @ParameterizedTest
  @EnumSource(value = DType.class, from = "FLOAT32", to = "UINT64")
  void everyAxisOfRandomShapes(DType dtype) {
    var random = new Random(41);
    for (int round = 0; round < rounds(60); round++) {
      Shape shape = Shape.of(random.longs(random.nextInt(1, 4), 1, random.nextInt(2, 40)).toArray());
      TensorView x = TestTensors.zeros(new TensorType(dtype, shape));
      int different = random.nextInt(1, REAL.length + 1);
      for (long i = 0; i < x.elementCount(); i++) {
        if (dtype.isFloat()) {
          TestTensors.set(x, i, REAL[random.nextInt(different)]);
        } else {
          TestTensors.set(x, i, random.nextLong(dtype.isUnsigned() ? 0 : -different, different));
        }
      }
      check(x, random.nextInt(shape.rank()), random.nextBoolean(), random.nextBoolean());
    }
  }

  private static void check(TensorView x, int axis, boolean greatest, boolean last) {
    long[] kept = x.shape().extents();
    kept[axis] = 1;
    var attributes = Attributes.NONE.with("axis", axis).with("select_last_index", last ? 1 : 0);
    TensorView places = KernelRunner.checkTwins(ReduceKernels.ROWS, greatest ? "ArgMax" : "ArgMin", attributes, List.of(
      new TensorType(DType.INT64, Shape.of(kept))), 1, x).getFirst();
    long extent = x.shape().extent(axis);
    long inner = x.shape().elementCount(axis + 1, x.shape().rank());
    for (long line = 0; line < places.elementCount(); line++) {
      double[] values = new double[(int) extent];
      for (int i = 0; i < extent; i++) {
        double value = x.doubleAt((line / inner * extent + i) * inner + line % inner) + 0.0;
        // A NaN is both the greatest and the least element.
        values[i] = Double.isNaN(value) ? Double.NaN : greatest ? value : 0.0 - value;
      }
      double best = Arrays.stream(values).boxed().max(Double::compare).orElseThrow();
      int place = last ? values.length - 1 : 0;
      while (Double.compare(values[place], best) != 0) {
        place += last ? -1 : 1;
      }
      assertThat(places.longAt(line)).as("line %d of %s", line, x.type()).isEqualTo(place);
    }
  }
}
