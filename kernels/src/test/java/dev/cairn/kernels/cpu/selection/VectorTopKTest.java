package dev.cairn.kernels.cpu.selection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.KernelRunner;
import dev.cairn.kernels.TestTensors;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.KernelRow.Twin;
import dev.cairn.kernels.row.SelectionKernels;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The vector kernel chooses the same elements as the portable one. */
class VectorTopKTest {
  private final Random random = new Random(8);

  @ParameterizedTest
  @CsvSource({"1,1", "3,2", "16,16", "17,1", "33,5", "200,199", "1000,10", "5000,100"})
  void choosesTheSame(int extent, int count) {
    TensorView usual = TestTensors.random(DType.FLOAT32, Shape.of(3, extent), random);
    TensorView any = TestTensors.randomBits(DType.FLOAT32, Shape.of(3, extent), random);
    TensorView few = TestTensors.zeros(TensorType.of(DType.FLOAT32, 3, extent));
    for (int i = 0; i < 3 * extent; i++) {
      double[] values = {0, -0.0, 1, -1, Double.NaN, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY};
      TestTensors.set(few, i, values[random.nextInt(values.length)]);
    }
    for (TensorView x : List.of(usual, any, few)) {
      for (int largest = 0; largest < 2; largest++) {
        check(Attributes.NONE.with("largest", largest), count, x);
      }
    }
  }

  private static void check(Attributes attributes, long count, TensorView x) {
    List<TensorType> outputs = List.of(TensorType.of(DType.FLOAT32, 3, count), TensorType.of(DType.INT64, 3, count));
    TensorView k = TestTensors.int64s(count);
    try (var runner = new KernelRunner(SelectionKernels.ROWS, 3)) {
      List<KernelRow> rows = runner.serving("TopK", KernelRunner.signature(attributes, outputs, x, k));
      assertThat(rows).extracting(KernelRow::twin).containsExactly(Twin.VECTOR, Twin.PORTABLE);
      List<TensorView> truth = runner.runRow(rows.get(1), attributes, outputs, x, k);
      List<TensorView> found = runner.runRow(rows.getFirst(), attributes, outputs, x, k);
      assertThat(found.get(0).segment().mismatch(truth.get(0).segment())).isEqualTo(-1);
      assertThat(found.get(1).segment().mismatch(truth.get(1).segment())).isEqualTo(-1);
    }
  }
}
